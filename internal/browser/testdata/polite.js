// How often elements ask. LAUREL_LONG makes the minutes of an hour 60.

test("boards that are alike share a request; a hidden page has none", async () => {
	whole();
	page(`<laurel-board windows="day" limit="3"></laurel-board>`.repeat(3));
	await shows(drawn);
	const hide = (value) => {
		Object.defineProperty(document, "hidden", { value, configurable: true });
		document.dispatchEvent(new Event("visibilitychange"));
	};
	for (const [hidden, ms, want] of [[false, 0, 1], [true, 180e3, 1], [false, 1e3, 2]]) {
		hide(hidden);
		await pass(ms);
		same(laurel.requests(board), want);
	}
});

test("a board out of view asks for nothing, neither before it has been seen, nor after", async () => {
	whole();
	page(far + plain + far);
	await look();
	await pass(180e3);
	same(laurel.requests("/v1/"), 0);
	await look(element());
	await shows(drawn);
	await look();
	const asked = laurel.requests("/v1/");
	await pass(180e3);
	same(laurel.requests("/v1/"), asked);
	await look(element());
	await pass(1e3);
	same(laurel.requests(board), 2);
});

test("at the end of the day there are the rows of the next one, and not before it", async () => {
	whole();
	page(`<laurel-board windows="day" refresh="off"></laurel-board>`);
	await shows(drawn);
	const [StartsAt, EndsAt] = ["2026-11-21T00:00:00Z", "2026-11-22T00:00:00Z"];
	today([entry(1, 3, "Early")], { Period: "2026-11-21", StartsAt, EndsAt, AsOf: StartsAt });
	await pass(12 * 3600e3);
	same(laurel.requests(`${board}?`), 1);
	await pass(6e3);
	await shows(() => text().includes("Early") && !text().includes("User 1"));
	same(laurel.requests(`${board}?`), 2);
});

// For a quarter of an hour a board is read each minute, and as often a place below the board.
for (const [user, most] of [["", minutes], ["u20", 2 * minutes]]) {
	test(`requests of an hour in view: ${user || "nobody"}`, async () => {
		whole();
		page(`<laurel-board windows="day" user="${user}"></laurel-board>`);
		await shows(drawn);
		await pass(minutes * 60e3);
		const n = laurel.requests("/boards/activity/");
		same([n >= Math.min(most * 0.9, 20 + minutes / 2) && n <= most, laurel.requests("/v1/boards")], [true, n + 1]); // with the list of boards
	});
}

test("reads about the visitor and winners are few: docs/embed.md has the figures", async () => {
	today(several(3), { StartsAt: "2026-11-20T11:00:00Z", EndsAt: "2026-11-21T11:00:00Z" });
	page(`${mine}<laurel-winners></laurel-winners>`);
	await shows(said);
	await pass(minutes * 60e3);
	const count = () => ["/v1/rules", "/day/winners", "/month/winners", "/entries"].map(laurel.requests);
	const about = (piece) => Math.abs(laurel.requests(piece) - minutes / 5) <= 1 + minutes / 20;
	same([about("/activity?days=1"), count()], [true, [1, 1, 1, 0]]);
	all(".why summary")[0].click();
	await pass(minutes * 60e3);
	same(about("/entries"), true);
});

// Retry-After is obeyed, and pauses double up to 32 minutes. A jitter of a tenth comes on top.
for (const [after, pauses] of [
	[300, [300, 300, 300, 300, 300, 300, 320]], [0, [5, 10, 20, 40, 80, 160, 320, 640, 1280, 1920, 1920]],
]) {
	test(`pauses after ${after || "no"} seconds of Retry-After`, async () => {
		whole();
		laurel.fail = busy(after);
		page(plain);
		await shows(() => text().includes("Not reachable."));
		await pass(4 * 3600e3);
		const asked = laurel.asked.filter(({ what }) => what.includes(board));
		pauses.forEach((seconds, i) => {
			const pause = (asked[i + 1].at - asked[i].at) / 1000;
			same([i, pause >= seconds && pause <= 1.1 * seconds || pause], [i, true]);
		});
	});
}

// Failures are shown, and tried again no sooner than allowed.
for (const [name, fail, want, ms] of [
	["404", busy(0, 404), "Not available.", 59e3],
	["429", busy(500, 429), "Not reachable.", 499e3],
	["cut off", () => new Response(`{"entries":[`), "Not reachable.", 4.9e3],
	["offline", () => Promise.reject(new TypeError("Failed to fetch")), "Not reachable.", 4.9e3],
]) {
	test(`errors: ${name}`, async () => {
		whole();
		laurel.fail = fail;
		page(plain);
		await shows(() => text().includes(want));
		const asked = laurel.requests(board);
		await pass(ms);
		same(laurel.requests(board), asked);
		laurel.fail = () => {};
		await pass(600e3);
		await shows(drawn);
	});
}

const six = (attributes) => `<laurel-board windows="day" ${attributes}></laurel-board><laurel-standing ${attributes}></laurel-standing>
	<laurel-heatmap ${attributes}></laurel-heatmap><laurel-hot ${attributes}></laurel-hot>
	<laurel-winners ${attributes}></laurel-winners><laurel-hide ${attributes}></laurel-hide>`;

// Whatever happens on the board: its rows are new in each answer.
for (const [name, attributes, more, most] of [
	["a member", `user="u20" token-url="/token"`, `<laurel-board windows="month" user="u20" token-url="/token" limit="5"></laurel-board>`, 150],
	["a guest", "", plain, 60],
]) {
	test(`requests of an hour with all six elements: ${name}`, async () => {
		whole();
		let n = 0;
		laurel.fail = ({ path }) => {
			if (path.endsWith("/day")) laurel.boards.activity.Entries[0].Score = 1000 + n++;
		};
		page(six(attributes) + more);
		await shows(() => drawn() && all("li", "hot").length);
		for (let quarter = 0; quarter < 4; quarter++) await pass(15 * 60e3);
		same([laurel.asked.length <= most || laurel.asked.length, n > 15 || n], [true, true]);
	});
}

test("two boards of another length, a standing and a heatmap share their common reads", async () => {
	whole(30);
	const who = `user="u20" token-url="/token"`;
	page(`<laurel-board windows="day" limit="3" ${who}></laurel-board><laurel-board windows="day" limit="25" ${who}></laurel-board>
		<laurel-standing ${who}></laurel-standing><laurel-heatmap ${who}></laurel-heatmap>`);
	const rows = () => [...document.querySelectorAll("laurel-board")].map((b) => b.shadowRoot.querySelectorAll("tbody .name").length);
	await shows(() => rows().join() === "6,25" || rows().join() === "4,25");
	await shows(() => all("svg", "heatmap").length);
	await pass(1e3);
	same([laurel.requests(`${board}?`), laurel.requests(`${board}/users/`), laurel.requests("/activity?")], [1, 1, 1]);
	const second = document.querySelectorAll("laurel-board")[1];
	second.setAttribute("limit", "2");
	await shows(() => rows()[1] < 10);
	same(laurel.requests(`${board}?`), 1);
	second.setAttribute("limit", "28");
	await shows(() => rows()[1] === 28);
	same(laurel.requests(`${board}?`), 2);
});

test("a visitor's act shows at once, and private reads follow, each once", async () => {
	today(several(10));
	const who = `user="u5" token-url="/token"`;
	page(`<laurel-board windows="day" ${who}></laurel-board><laurel-board windows="day" limit="5" ${who}></laurel-board>
		<laurel-standing ${who}></laurel-standing><laurel-heatmap ${who}></laurel-heatmap>`);
	laurel.boards.activity.Near = several(10).slice(3, 6);
	laurel.boards.activity.Standing = { Rank: 5, Score: 96, ToNext: 2 };
	await shows(() => drawn() && text("standing").includes("#5") && all("svg", "heatmap").length);
	const asked = laurel.requests("/activity?");
	const { report } = await import("/embed/laurel.js");
	report([{ action: "like", target: "1" }], { token: "a.b.c" });
	await shows(() => text().includes("You are 3rd.") && text("standing").includes("99"));
	await pass(1e3);
	same(laurel.requests("/activity?"), asked + 1);
});

// A page stays open for a day's work while Laurel restarts: it is gone, then fills its boards, then answers again.
const restarts = minutes > 15 ? 10 : 2;
test(`a page that is open while Laurel restarts ${restarts} times`, async () => {
	const at = (ms) => new Date(ms).toISOString();
	const now = () => {
		const start = Date.now() < Date.parse("2026-11-20T16:00:00Z") ? "2026-11-19T16:00:00Z" : "2026-11-20T16:00:00Z";
		const begin = Date.parse(start);
		today(several(10), { Total: 30, AsOf: at(Date.now()), StartsAt: start, EndsAt: at(begin + 864e5), Period: at(begin + 288e5).slice(0, 10),
			Near: [entry(20, 2, "Me")], Standing: { Rank: 20, Score: 2, ToNext: 3 } });
	};
	now();
	const faults = [];
	console.error = (...all) => faults.push(all.join(" "));
	page(six(`user="u20" token-url="/token"`) + mine.replace("u2", "u20"));
	await shows(() => drawn() && all("li", "hot").length);
	const nodes = [], bytes = [];
	const begun = Date.now();
	const every = 48 * 60e3;
	for (let restart = 0; restart < restarts; restart++) {
		const down = begun + restart * every + 20 * 60e3;
		laurel.fail = ({ path }) => {
			now();
			if (Date.now() < down || Date.now() > down + 120e3) return;
			if (Date.now() < down + 60e3) return Promise.reject(new TypeError("Failed to fetch"));
			if (path.includes("/boards/")) return Response.json({ status: 503, code: "filling" }, { status: 503, headers: { "Retry-After": "30" } });
		};
		await pass(every);
		nodes.push([...document.querySelectorAll("*")].reduce((sum, e) => sum + 1 + (e.shadowRoot?.querySelectorAll("*").length ?? 0), 0));
		gc();
		bytes.push(performance.memory.usedJSHeapSize);
	}
	same([laurel.asked.length < 120 * restarts || laurel.asked.length, faults], [true, []]);
	const shown = [...document.querySelectorAll("*")].map((e) => e.shadowRoot?.textContent ?? "").join(" ");
	same(["Not reachable", "being completed", "Log in", "Not available"].filter((word) => shown.includes(word)), []);
	same([said(), nodes.at(-1) <= nodes[0] || nodes, bytes.at(-1) - bytes[0] < 1e6 || bytes],
		[`${restarts > 2 ? "3 points to the next place. 20" : "2 likes to the next place. 2"} hours left.`, true, true]);
});
