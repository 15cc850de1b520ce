// Texts of elements for a member.

test("a hidden member sees that, with the place that nobody else sees", async () => {
	today(several(10), { Total: 30, Standing: {} });
	laurel.hidden = true;
	laurel.own = [{ board: "activity", window: "day", period: "2026-11-20", rank: 22, score: 5, toNext: 3, total: 30 }];
	page(`<laurel-board windows="day" user="me" token-url="/token"></laurel-board>
		<laurel-standing user="me" token-url="/token"></laurel-standing>`);
	const want = "Hidden. Only you see this: 22nd. 12 hours left.";
	await shows(() => said() === want && text("standing") === want);
});

test("a shadowed member does not see the exclusion", async () => {
	today(several(10), { Total: 30, Standing: {} });
	laurel.own = [{ board: "activity", window: "day", period: "2026-11-20", rank: 22, score: 5, toNext: 3, total: 30 }];
	page(`<laurel-board windows="day" user="me" token-url="/token"></laurel-board>`);
	await shows(() => said() === "3 points to the next place. 12 hours left.");
});

test("an element without a token has only public reads", async () => {
	today(several(10), { Total: 30, Standing: {} });
	page(`<laurel-board windows="day" user="me"></laurel-board>`);
	await shows(() => said() === "Not on the board yet. 12 hours left.");
});

// The line under the board invites only to acts that the caps of today let count.
for (const [name, gap, did, want] of [
	["in likes", 4, {}, "2 likes"],
	["one like", 2, {}, "1 like"],
	["likes are used up", 4, { like: { count: 49 } }, "2 comments"],
	["all is used up", 4, { like: { count: 50 }, comment: { count: 30 } }, "4 points"],
	["more than a day lets", 1_000, {}, "1,000 points"],
	["nobody knows what is up", 4, null, "4 points"],
]) {
	test(`chase: ${name}`, async () => {
		today([entry(1, 2_000, "Kim"), entry(2, 2_001 - gap, "Me")]);
		laurel.did = did;
		page(did ? mine : mine.replace("token-url", "no-url"));
		await shows(() => said() === `${want} behind \u2068Kim\u2069, 1st. 12 hours left.`);
	});
}

// The time left is in days, hours and minutes, and in the words of each language.
for (const [lang, end, want] of [
	["en", "2026-11-22T14:00:00Z", "In the lead. 2 days left."],
	["en", "2026-11-20T13:30:00Z", "In the lead. 1 hour left."],
	["en", "2026-11-20T12:00:20Z", "In the lead. 1 minute left."],
	["zh", "2026-11-20T17:00:00Z", "暂居榜首。还剩5小时。"],
	["vi", "2026-11-20T17:00:00Z", "Đang dẫn đầu. Còn 5 giờ."],
]) {
	test(`time left: ${want}`, async () => {
		today([entry(1, 9, "Me")], { EndsAt: end });
		page(`<laurel-board windows="day" user="u1" lang="${lang}"></laurel-board>`);
		await shows(() => said() === want);
	});
}

test("a day that is over is not under Today, and is told as over", async () => {
	const pressed = () => all("[aria-pressed=true]").map((b) => b.textContent).join();
	today(several(10));
	page(`<laurel-board windows="day month" user="u2"></laurel-board>`);
	await shows(() => pressed() === "Today" && said() === "2 points behind \u2068User 1\u2069, 1st. 12 hours left.");
	laurel.fail = busy(7200);
	await pass(13 * 3600e3); // it ends while the page has nothing newer
	await shows(() => pressed() === "" && root().querySelector("h2").textContent === "ActivityNovember 20, 2026");
	await shows(() => said() === "Finished 2nd of 10. A new day has begun.");
});

test("one goes back to a day that is over", async () => {
	today(several(10), { AsOf: "2026-11-29T12:00:00Z" });
	page(`<laurel-board windows="day month" period="2026-11-20" user="nobody"></laurel-board>`);
	await shows(() => drawn() && !all("[aria-pressed=true]").length);
});

test("nobody was on a day that is over", async () => {
	today([], { AsOf: "2026-11-29T12:00:00Z" });
	page(`<laurel-board windows="day month" period="2026-11-20"></laurel-board>`);
	await shows(() => text().includes("Nobody was on it."));
});

test("the own score opens and lists its parts, in words", async () => {
	today([entry(1, 40, "Ann"), entry(2, 12, "Me")]);
	const kept = (action, state, points, day) => ({ action, state, points, day });
	laurel.kept = [
		kept("like", "counted", 2, "2026-11-20"), kept("comment", "counted", 3, "2026-11-20"),
		kept("comment", "counted", 3, "2026-11-20"), kept("like", "undone", 0), // which has no day
		kept("visit", "over_cap", 0, "2026-11-20"), kept("visit", "over_cap", 0, "2026-11-20"),
		kept("knit", "counted", 4, "2026-11-20"), kept("comment", "counted", 3, "2026-11-19"),
	];
	page(mine);
	await shows(() => all(".why")[0].innerText === "Why 12?");
	same(laurel.requests("/entries"), 0);
	all(".why summary")[0].click();
	await shows(() => all(".why li").map((l) => l.textContent).join("; ") ===
		"2 comments: 6 points; 1 knit: 4 points; 1 like: 2 points; 1 like taken back; 2 visits over the daily cap; Sum: 12 points");
});

test("the own score tells the reasons for awards, and what a void pair takes", async () => {
	today([entry(1, 40, "Ann"), entry(2, 12, "Me")]);
	const kept = (action, state, points, reason) => ({ action, state, points, reason, day: "2026-11-20" });
	laurel.kept = [
		kept("award", "counted", 9, "A talk"), kept("award", "counted", 3, "A <b>"), kept("like", "voided", 0), kept("like", "merged", 0),
	];
	page(mine);
	await shows(() => all(".why")[0]);
	all(".why summary")[0].click();
	await shows(() => all(".why li").map((l) => l.textContent.replace(/[\u2068\u2069]/g, "")).join("; ") ===
		"1 award (A talk): 9 points; 1 award (A <b>): 3 points; 1 like not counted; 1 like for yourself; Sum: 12 points");
});

// A visit ends after half an hour; the sentence is there until the visit after the next ends.
for (const [name, score, kept, want] of [
	["a void pair, an undo and an award", 5, [
		{ action: "like", state: "voided", points: 0, firstAt: "2026-11-20T08:00:00Z" },
		{ action: "like", state: "voided", points: 0, firstAt: "2026-11-20T09:00:00Z" },
		{ action: "comment", state: "undone", points: 0, undoneAt: "2026-11-20T12:30:00Z" },
		{ action: "comment", state: "undone", points: 0, undoneAt: "2026-11-20T11:30:00Z" }, // which the member saw
		{ action: "award", state: "counted", points: -3, reason: "Rude", day: "2026-11-20", firstAt: "2026-11-20T12:20:00Z" },
		{ action: "award", state: "counted", points: -3, reason: "Old", day: "2026-11-20", firstAt: "2026-11-20T11:20:00Z" },
		{ action: "award", state: "counted", points: 3, reason: "A talk", day: "2026-11-20", firstAt: "2026-11-20T12:20:00Z" },
	], "7 points fewer than at your last visit: 1 award (Rude), 2 likes not counted, and 1 comment taken back."],
	["nothing that entries tell", 11, [], "1 points fewer than at your last visit."],
	["no fall", 12, [], ""],
]) {
	test(`a fall since the last visit is told with its causes: ${name}`, async () => {
		localStorage.clear();
		const line = (rest) => `${40 - rest} points behind \u2068Ann\u2069, 1st. 11 hours left.`;
		today([entry(1, 40, "Ann"), entry(2, 12, "Me")]);
		laurel.kept = kept;
		const both = `${mine}<laurel-standing user="u2" token-url="/token"></laurel-standing>`;
		page(both);
		await shows(() => all(".why")[0]);
		page("");
		await pass(31 * 60e3);
		laurel.boards.activity.Entries[1].Score = score;
		laurel.boards.activity.AsOf = "2026-11-20T12:31:00Z";
		Object.assign(laurel.boards.activity, { Near: laurel.boards.activity.Entries, Standing: { Rank: 2, Score: score, ToNext: 41 - score } });
		for (let again = 0; again < 2; again++) {
			page(both);
			const told = (text) => text.replace(/[\u2068\u2069]/g, "").split("left. ")[1] ?? "";
			await shows(() => said() && told(said()) === want && text("standing") && told(root("standing").querySelector(".gap").textContent) === want);
			same(laurel.requests("/entries") > 0, score < 12);
			await pass(60e3);
		}
		page("");
		await pass(31 * 60e3);
		page(mine);
		await shows(() => said() && !said().includes("fewer"));
	});
}

// Of a member who hides or is excluded nobody knows whether the score has fallen.
for (const [status, want] of [[{}, true], [{ hidden: true }, false], [{ excluded: true }, false]]) {
	test(`a place that is lost is told: ${JSON.stringify(status)}`, async () => {
		localStorage.clear();
		whole();
		page(`<laurel-standing user="me" token-url="/token"></laurel-standing>`);
		await shows(() => text("standing").includes("left."));
		page("");
		await pass(31 * 60e3);
		today(several(10), { Total: 30, Near: [], Standing: {} });
		Object.assign(laurel, status);
		page(`<laurel-standing user="me" token-url="/token"></laurel-standing>`);
		await shows(() => text("standing").includes(want ? "visit." : "not shown"));
		await pass(0);
		same(text("standing").includes("2 points fewer than at your last visit."), want);
	});
}

test("without a token nobody is offered the parts of a score", async () => {
	today([entry(1, 40, "Ann"), entry(2, 12, "Me")]);
	page(mine.replace("token-url", "no-url"));
	await shows(() => said());
	same(all(".why").length, 0);
});

test("a receipt moves the own row without a request, behind users who were there first", async () => {
	today(several(10));
	page(`<laurel-board windows="day" user="u5"></laurel-board>`);
	await shows(drawn);
	const asked = laurel.requests("/boards/");
	let moved;
	addEventListener("laurel-rank", ({ detail }) => (moved = `${detail.from} to ${detail.to}`));
	const { report } = await import("/embed/laurel.js");
	report([{ action: "like", target: "1" }], { token: "a.b.c" });
	await tick(2000);
	await shows(() => moved === "5 to 3" && text().includes("You are 3rd."));
	same(all("tbody tr").slice(0, 5).map((r) => r.querySelector(".rank").firstChild.data +
		r.querySelector(".text").textContent + " " + r.querySelector(".score").textContent),
	["1 User 1 100", "2 User 2 99", "3 User 5 99", "4User 3 98", "5User 4 97"]);
	same(laurel.requests("/boards/"), asked);
});
