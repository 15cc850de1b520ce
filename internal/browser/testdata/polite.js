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

// The cost of visitors is reckoned with one read a minute, and as many again for a place below the board.
for (const [user, most] of [["", minutes], ["u20", 2 * minutes]]) {
	test(`requests of an hour in view: ${user || "nobody"}`, async () => {
		whole();
		page(`<laurel-board windows="day" user="${user}"></laurel-board>`);
		await shows(drawn);
		await pass(minutes * 60e3);
		const n = laurel.requests("/boards/activity/");
		same([n >= most * 0.9 && n <= most, laurel.requests("/v1/boards")], [true, n + 1]); // with the list of boards
	});
}

test("what tells of the visitor and of winners asks for little: docs/embed.md has the figures", async () => {
	today(several(3), { StartsAt: "2026-11-20T11:00:00Z", EndsAt: "2026-11-21T11:00:00Z" });
	page(`${mine}<laurel-winners></laurel-winners>`);
	await shows(said);
	await pass(minutes * 60e3);
	const count = () => ["/v1/rules", "/day/winners", "/month/winners", "/entries"].map(laurel.requests);
	const about = (piece) => Math.abs(laurel.requests(piece) - minutes / 5) <= 1;
	same([about("/activity?days=1"), count()], [true, [1, 1, 1, 0]]);
	all(".why summary")[0].click();
	await pass(minutes * 60e3);
	same(about("/entries"), true);
});

// Retry-After is obeyed, and where there is none pauses double up to 32 minutes. A jitter of a tenth comes on top.
for (const [after, pauses] of [[300, [300, 300, 300, 480]], [0, [60, 120, 240, 480, 960, 1920, 1920, 1920]]]) {
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

// What goes wrong is said, and tried again no sooner than it may be.
for (const [name, fail, want] of [
	["404", busy(0, 404), "Not available."],
	["429", busy(500, 429), "Not reachable."],
	["cut off", () => new Response(`{"entries":[`), "Not reachable."],
	["offline", () => Promise.reject(new TypeError("Failed to fetch")), "Not reachable."],
]) {
	test(`errors: ${name}`, async () => {
		whole();
		laurel.fail = fail;
		page(plain);
		await shows(() => text().includes(want));
		const asked = laurel.requests(board);
		await pass(50e3);
		same(laurel.requests(board), asked);
		laurel.fail = () => {};
		await pass(600e3);
		await shows(drawn);
	});
}
