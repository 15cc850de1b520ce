// A member's activities, by period, span and kind.

const did = (action, day, more) => ({ action, day, board: "activity", state: "counted", points: 2, ...more });
const deeds = () => all("section", "history").map((s) => words(s));
const mineOnly = `<laurel-history user="u2" token-url="/token"></laurel-history>`;
const press = (word) => all("button", "history").find((b) => words(b) === word).click();
const period = () => words(all("small", "history")[0]);

// filled has things of four weeks done, and articles of which one is not among the newest.
const filled = (total = 3) => {
	today([]);
	laurel.kept = [
		did("like", "2026-11-20", { target: "1" }), did("like", "2026-11-20", { target: "gone" }), did("like", "2026-11-20", { target: "old" }),
		did("comment", "2026-11-20", { target: "1", ref: "c1", points: 3 }), did("comment", "2026-11-20", { target: "1", ref: "c2", points: 3 }),
		did("visit", "2026-11-17", { state: "over_cap", points: 0, target: "x" }),
		did("like", undefined, { state: "undone", points: 0, undoneAt: "2026-11-18T16:30:00Z", target: "2" }),
		did("follow", "2026-11-16", { targetHash: "00ff" }), did("steps", "2026-11-15", { value: 500, points: 500 }),
		did("like", "2026-10-31", { target: "<b>" }),
	];
	laurel.fail = ({ path, query }) => {
		if (path.endsWith("/activity")) return Response.json({ timezone: "Asia/Shanghai", days: [{ day: "2026-11-20" }, { day: "2026-10-20" }] });
		if (path.endsWith("/articles/old")) return Response.json({ id: "old", title: "An <i>old</i> one", link: "javascript:alert(1)" });
		if (path.includes("/articles/")) return Response.json({ code: "unknown_article" }, { status: 404 });
		if (path.endsWith("/articles") && query.get("sort") === "new") return Response.json({ total, articles: [
			{ id: "1", title: "A title", link: "https://forum.example/1" }, { id: "2", title: "Another", link: null },
		] });
	};
};

for (const [lang, award, voided] of [
	["en", "1 award A talk 5 points", "2 likes not counted"], ["zh", "1 次奖励 A talk 5 积分", "2 个赞不计分"],
	["vi", "1 lần thưởng A talk 5 điểm", "2 lượt thích không tính"],
]) {
	test(`history: awards with their reasons, and acts of void pairs: ${lang}`, async () => {
		filled();
		const like = (target) => did("like", "2026-11-20", { target, state: "voided", points: 0 });
		laurel.kept = [like("7"), like("8"), did("award", "2026-11-20", { ref: "t", points: 5, reason: "A talk" })];
		page(mineOnly.replace("user", `lang="${lang}" user`));
		await shows(() => deeds().join().includes(award));
		same([deeds().join().includes(voided), deeds().length], [true, 1]);
	});
}

test("history: this week by day, with titles of articles", async () => {
	filled();
	page(mineOnly);
	await shows(() => deeds().join("|").includes("An <i>old</i> one"));
	same(deeds(), [
		"November 20, 2026 1 like A title 2 points 1 like 2 points 1 like An <i>old</i> one 2 points 2 comments A title 6 points",
		"November 19, 2026 1 like taken back Another",
		"November 17, 2026 1 visit over the daily cap", "November 16, 2026 1 follow 2 points"]);
	same([words(all(".total", "history")[0]), period()], ["14 points", "This week"]);
	same(all("a", "history").map((a) => a.href), ["https://forum.example/1", "https://forum.example/1"]);
	same(laurel.asked.filter(({ what, token }) => token && what.includes("articles")), []); // titles are public
});

test("history: periods, spans and kinds", async () => {
	filled();
	page(mineOnly);
	await shows(() => deeds().length === 4);
	press("Earlier");
	await shows(() => period() === "Week of November 9, 2026" && deeds().join() === "November 15, 2026 500 steps 500 points");
	press("Later");
	await shows(() => period() === "This week");
	press("Today");
	await shows(() => period() === "Today" && deeds().length === 1);
	same(all("h3", "history").length, 0);
	press("Earlier");
	await shows(() => period() === "November 19, 2026");
	press("This month");
	await shows(() => period() === "This month" && deeds().length === 5);
	const kinds = all("select", "history")[0];
	same([...kinds.options].map((o) => o.text), ["Everything", "4 likes", "2 comments", "1 visit", "1 follow", "500 steps"]);
	kinds.value = "comment";
	kinds.dispatchEvent(new Event("change"));
	await shows(() => deeds().join() === "November 20, 2026 2 comments A title 6 points" && words(all(".total", "history")[0]) === "6 points");
	press("Earlier");
	await shows(() => period() === "October 2026" && text("history").includes("Nothing here.") && kinds.value === "comment");
	same(all("button", "history").find((b) => words(b) === "Earlier").disabled, true);
});

test("history: nothing but the newest articles is asked for where these are all", async () => {
	filled(2);
	page(mineOnly);
	await shows(() => deeds().length === 4);
	await pass(0);
	same(laurel.requests("/articles/"), 0);
});

test("history: a long list is shown in pieces, and asks for few titles at once", async () => {
	filled(1000);
	laurel.kept = Array.from({ length: 90 }, (_, i) => did("like", "2026-11-20", { target: `old${i}` }));
	const { fail } = laurel;
	laurel.fail = (request) => request.path.includes("/articles/old") ? Response.json({ id: request.path, title: request.path, link: null }) : fail(request);
	page(mineOnly);
	await shows(() => all(".deed", "history").length === 20);
	await pass(0);
	same(laurel.requests("/articles/") <= 21, true);
	press("Show more");
	await shows(() => all(".deed", "history").length === 40);
});

test("history: nobody but the member has one", async () => {
	filled();
	page(mineOnly.replace("token-url", "no-url"));
	await pass(0);
	await shows(() => element("history").shadowRoot.querySelector("[name=error]"));
	same([laurel.requests("/entries"), laurel.sent], [0, []]);
});
