// The parts of a board beside its rows: finding oneself, links to views, acts that give points, columns and bars.

const named = (word) => all("button").find((b) => words(b) === word);
const ranks = () => all("tbody .rank").map((r) => r.firstChild.data.trim());
const focused = () => words(root().activeElement ?? document.body);
const member = `<laurel-board windows="day month" user="u47" limit="10" more></laurel-board>`;

// far47 is a board of 60 people, on which the member is the 47th, or another one.
const far47 = (rank = 47) => {
	const of = several(60);
	[of[46].ID, of[rank - 1].ID] = ["somebody", "u47"];
	today(of, { Near: [of[rank - 2], of[rank - 1]], Standing: { Rank: rank, Score: 101 - rank, ToNext: 2 } });
};

for (const key of [false, true]) {
	test(`one press goes to the own row on its page, and another one back: ${key ? "by Enter" : "by a click"}`, async () => {
		far47();
		page(member);
		await shows(() => named("Find me") && ranks().at(-1) === "47");
		const press = (word) => {
			named(word).focus();
			named(word).click(); // which is all that Enter does
		};
		press("Find me");
		await shows(() => ranks().join() === "41,42,43,44,45,46,47,48,49,50" && focused().startsWith("47"));
		await look(element());
		same([!!named("Find me"), root().activeElement.getAttribute("aria-current")], [false, "true"]);
		await shows(() => said().startsWith("2 points behind"));
		press("To the top");
		await shows(() => ranks()[0] === "1" && /^1\D/.test(focused()));
		same(!!named("To the top"), false);
	});
}

test("the first row of a page still says how far the next place is", async () => {
	far47(41);
	page(member);
	await shows(() => named("Find me"));
	named("Find me").click();
	await shows(() => ranks()[0] === "41" && focused().startsWith("41") && said().startsWith("2 points behind \u2068User 40\u2069"));
});

test("nobody is looked for without a member, without a place, or where the own row is in view", async () => {
	far47();
	page(plain + `<laurel-board windows="day" user="u3"></laurel-board><laurel-board windows="day" user="off"></laurel-board>`);
	const boards = [...document.querySelectorAll("laurel-board")];
	laurel.boards.activity.Near = [];
	laurel.boards.activity.Standing = {};
	await shows(() => boards.slice(1).every((b) => b.shadowRoot.querySelector(".standing")));
	await look();
	same(boards.map((b) => !!b.shadowRoot.querySelector(".find")), [false, false, false]);
});

test("the own row of a long page is gone to where it is out of view", async () => {
	today(several(90));
	page(`<laurel-board windows="day" user="u80" limit="90"></laurel-board><p style="height:3000px"></p>`);
	element().style.setProperty("font-size", "60px");
	await shows(() => ranks().length === 90 && named("Find me"));
	const asked = laurel.requests("/boards/");
	named("Find me").click();
	await shows(() => focused().startsWith("80"));
	await look(all(".mine")[0]);
	await shows(() => !named("Find me"));
	same(laurel.requests("/boards/"), asked);
});

test("a podium is of the first page alone", async () => {
	far47();
	page(`<laurel-board windows="day" user="u47" layout="podium"></laurel-board>`);
	await shows(() => all(".place").length === 3 && named("Find me"));
	named("Find me").click();
	await shows(() => focused().startsWith("47") && !all(".place").length && ranks().length === 10);
});

const back = async (turn = "back") => {
	await new Promise((done) => (addEventListener("popstate", done, { once: true }), history[turn]()));
	await pass(0);
};
const view = () => new URLSearchParams(location.search).get("laurel");
const linked = `<laurel-board windows="day month" link user="u47" periods more></laurel-board>`;

test("the page's address says which view is shown, and the back button goes back", async () => {
	history.replaceState({ router: 7 }, "", "?123-a%20title&flag#post-3");
	far47();
	page(linked);
	await shows(() => named("This month") && named("Find me"));
	same(location.search, "?123-a%20title&flag");
	named("This month").click();
	await shows(() => view() === "activity.month");
	same([location.search, location.hash, history.state],
		["?123-a%20title&flag&laurel=activity.month", "#post-3", { router: 7 }]);
	named("Earlier").click();
	await shows(() => view() === "activity.month.2026-11-19");
	await back();
	await shows(() => view() === "activity.month" && !element().getAttribute("period"));
	named("Find me").click();
	await shows(() => view() === "activity.month..5" && ranks()[0] === "41");
	await back();
	await shows(() => ranks()[0] === "1" && view() === "activity.month");
	await back();
	await shows(() => view() === null && element().getAttribute("window") === "day");
	same(location.search, "?123-a%20title&flag");
	await back("forward");
	await shows(() => element().getAttribute("window") === "month" && view() === "activity.month");
});

test("a view is kept over a reload, with rows that were shown below", async () => {
	history.replaceState(null, "", "?laurel=activity.month.2026-11-19.2-3");
	far47();
	page(linked);
	await shows(() => ranks().length >= 20 && ranks()[0] === "11" && ranks()[19] === "30");
	same([element().getAttribute("window"), element().getAttribute("period")], ["month", "2026-11-19"]);
	same(laurel.asked.filter(({ what }) => what.includes("/day")), []);
	const steps = history.length;
	named("Show more").click();
	await shows(() => view() === "activity.month.2026-11-19.2-4");
	same(history.length, steps);
});

// An invalid value of a link is ignored.
for (const wrong of [
	"", "activity", "activity.year", "activity.month.x/../../v1/users", "other.month", "../rules.month", "activity.month..0",
	"activity.month..2-", "__proto__.month", "activity.month.2026-10.1.1", "<script>.day",
]) {
	test(`an address that names no view: ${wrong}`, async () => {
		history.replaceState(null, "", `?laurel=${encodeURIComponent(wrong)}`);
		far47();
		page(linked);
		await shows(() => named("Find me") && ranks()[0] === "1");
		same(laurel.asked.filter(({ what }) => !/^GET \/v1\/(boards(\/activity\/day.*)?|rules|users\/u47.*)$/.test(what)), []);
		same([element().getAttribute("window"), wrong.length > 8 || element().given], [null, wrong.length > 8 || undefined]);
	});
}

test("a linked period that there is not gives way to the board's own", async () => {
	history.replaceState(null, "", "?laurel=activity.month.2099-01");
	far47();
	laurel.fail = ({ query }) => (query.get("period") === "2099-01" ? busy(0, 422)() : null);
	page(linked);
	await shows(() => drawn() && view() === null && ranks()[0] === "1");
});

test("boards of a page have views of their own, and without the attribute none", async () => {
	far47();
	const one = `<laurel-board windows="day month"`;
	page(`${one}></laurel-board>${one} link></laurel-board>${one} link></laurel-board>${one} link="top"></laurel-board>${one} id="side" link></laurel-board>`);
	const boards = [...document.querySelectorAll("laurel-board")];
	const month = (b) => [...b.shadowRoot.querySelectorAll("button")].find((e) => words(e) === "This month");
	await shows(() => boards.filter(month).length === 5);
	for (const [i, want] of ["", "laurel=activity.month", "laurel2=activity.month", "top=activity.month", "side=activity.month"].entries()) {
		month(boards[i]).click();
		await shows(() => boards[i].getAttribute("window") === "month" && location.search.endsWith(want));
	}
	same(location.search, "?laurel=activity.month&laurel2=activity.month&top=activity.month&side=activity.month");
});

test("rules: the acts that give points, in each language", async () => {
	whole();
	laurel.actions = {
		like: { board: "activity", points: 2, cap: 50 }, publish: { board: "activity", points: 10 },
		visit: { board: "activity", points: 1, cap: 1 }, knit_well: { board: "activity", points: 3 },
		brew: { board: "activity", points: 4, minAgeDays: 3, labels: { en: "Tea made", vi: "Pha trà" } },
		walk: { board: "steps", points: 1 }, nothing: { board: "activity", points: 0 },
	};
	const help = () => all(".points")[0];
	for (const [lang, want] of [
		["en", "1 article: 10 points|Tea made: 4 points, after 3 days as a member|1 knit well: 3 points|" +
			"1 like: 2 points, at most 50 a day|1 visit: 1 points, once a day"],
		["zh", "1 篇文章：10 积分|Tea made：4 积分，入站满 3 天后|1 knit well：3 积分|1 个赞：2 积分，每天最多 50 次|1 次访问：1 积分，每天最多 1 次"],
		["vi", "1 bài viết: 10 điểm|Pha trà: 4 điểm, sau 3 ngày là thành viên|1 knit well: 3 điểm|" +
			"1 lượt thích: 2 điểm, nhiều nhất 50 lần mỗi ngày|1 lượt xem: 1 điểm, nhiều nhất 1 lần mỗi ngày"],
	]) {
		page(`<laurel-board windows="day" points lang="${lang}"></laurel-board>`);
		await shows(() => help());
		const asked = laurel.requests("/v1/rules");
		same([words(help()), help().getAttribute("aria-expanded"), all(".acts").length], ["?", "false", 0]);
		if (lang === "en") same(asked, 0);
		help().click();
		await shows(() => all(".acts li").map(words).join("|") === want && help().getAttribute("aria-expanded") === "true");
		help().click();
		await shows(() => help().getAttribute("aria-expanded") === "false" && !all(".acts").length);
	}
});

test("rules: those of today, and metrics", async () => {
	whole();
	laurel.fail = ({ path }) => (path.endsWith("/rules") ? Response.json({ versions: [
		{ actions: { like: { board: "activity", points: 1 } } },
		{ from: "2026-11-20", metrics: { hours_read: { board: "activity", min: 0, max: 24 } } },
		{ from: "2026-11-21", actions: { like: { board: "activity", points: 9 } } },
	] }) : null);
	page(`<laurel-board windows="day" points></laurel-board>`);
	await shows(() => all(".points").length);
	all(".points")[0].click();
	await shows(() => all(".acts li").map(words).join("|") === "Up to 24 hours of reading a day, each counts 1");
});

for (const [width, wide] of [[900, true], [300, false]]) {
	test(`the period before has a column in ${width} px: ${wide}`, async () => {
		today([entry(1, 9, "Ann"), entry(2, 5, "Bob"), entry(3, 1, "Cid"), { Rank: 4, Score: 1 }]);
		laurel.fail = ({ query }) => (query.has("users") ? Response.json({
			period: query.get("period"), entries: [],
			standings: query.getAll("users").map((id) => ({ user: { id }, rank: id === "u2" ? null : 1, score: id === "u2" ? 0 : 1234 })),
		}) : null);
		page(`<div style="width:${width}px"><laurel-board windows="day" columns></laurel-board></div>`);
		const cells = () => all("td.past").map((c) => c.textContent);
		await shows(() => cells().join("|") === "1,234|–|1,234|");
		same(all("th.past")[0].textContent, "November 19, 2026");
		same(all(".past").filter((c) => c.offsetWidth).length, wide ? 5 : 0);
		same(laurel.requests("period=2026-11-19&users=u1&users=u2&users=u3"), 1);
	});
}

test("the column has the member's row below the page, too, by an address of its own", async () => {
	far47();
	laurel.fail = ({ query }) => (query.has("users") ? Response.json({
		entries: [], standings: query.getAll("users").map((id) => ({ user: { id }, rank: 1, score: id.length })),
	}) : null);
	page(`<laurel-board windows="day" user="u47" columns></laurel-board>`);
	await shows(() => all("td.past").map((c) => c.textContent).join("") === "222222222333");
	same([laurel.requests("users=u10"), laurel.requests("period=2026-11-19&users=u46&users=u47")], [1, 1]);
});

test("no column for a board without a period before, nor in a compact one", async () => {
	whole();
	page(`<laurel-board windows="day" columns layout="compact"></laurel-board>`);
	await shows(drawn);
	laurel.boards.activity.Window = "all";
	page(`<laurel-board windows="all" columns></laurel-board>`);
	await shows(drawn);
	await pass(0);
	same([all(".past").length, laurel.requests("users=")], [0, 0]);
});

for (const dir of ["ltr", "rtl"]) {
	test(`bars are as long as scores: ${dir}`, async () => {
		today([entry(1, 80, "Ann"), entry(2, 40, "Bob"), entry(3, 0, "Cid")]);
		page(`<div dir="${dir}" style="width:400px"><laurel-board windows="day" bars></laurel-board></div>`);
		await shows(() => all(".bar").length === 3);
		const lengths = all(".bar").map((b) => b.getBoundingClientRect());
		same([Math.round(100 * lengths[1].width / lengths[0].width), lengths[2].width], [50, 0]);
		same(Math.abs(dir === "ltr" ? lengths[0].left - lengths[1].left : lengths[0].right - lengths[1].right) < 1, true);
		const heights = all("tbody tr").map((r) => r.offsetHeight);
		element().removeAttribute("bars");
		await shows(() => !all(".bar").length);
		same(all("tbody tr").map((r) => r.offsetHeight), heights);
	});
}
