// Boards of teams: the rows are teams, and the visitor's own one is marked.

const team = (rank, score, name, more) => entry(rank, score, name, { ID: `t${rank}`, Members: rank, ...more });
const houses = (more) => today([team(1, 213, "<b>Blue</b>"), team(2, 210), team(3, 9, "Green")], { Teams: true, ...more });
const rows = () => all("tbody tr").map(words);

test("a guest sees teams with their members, and no script of a label", async () => {
	houses();
	page(`<laurel-board windows="day" bars columns></laurel-board>`);
	await shows(drawn);
	same(rows(), ["1 < <b>Blue</b> 1 member 213", "2 T t2 2 members 210", "3 G Green 3 members 9"]);
	same([words(all("th")[1]), all("tbody b").length, all(".bar").length, laurel.requests("users=")], ["Team", 0, 3, 0]);
});

test("a member sees the own team marked, and the own part of its points", async () => {
	houses({ Near: [team(1, 213, "<b>Blue</b>"), team(2, 210)], Standing: { Rank: 2, Score: 210, ToNext: 4, Team: "t2", Own: 34 } });
	laurel.kept = [{ action: "like", state: "counted", points: 34, day: "2026-11-20" }];
	page(`<laurel-board windows="day" user="u9" token-url="/token"></laurel-board>`);
	await shows(() => drawn() && said());
	same(said(), "Your team is 2nd. 2 likes behind \u2068<b>Blue</b>\u2069, 1st. 12 hours left. You gave 34 of its 210.");
	same(all(".mine").map((row) => row.getAttribute("aria-current")), ["true"]);
	same([words(all(".why summary")[0]), rows().length], ["Why 34?", 3]);
});

test("a member whose team is not on the page sees it below", async () => {
	houses({ Near: [team(8, 3, "Eighth"), team(9, 2, "Ninth")], Total: 9, Standing: { Rank: 9, Score: 2, ToNext: 1, Team: "t9", Own: 2 } });
	page(`<laurel-board windows="day" user="t1"></laurel-board>`); // whose id is a team's
	await shows(() => all(".mine").length === 1 && said());
	same(words(all(".mine .text")[0]), "Ninth");
	same(said(), "Your team is 9th. 1 more to pass \u2068Eighth\u2069, 8th. 12 hours left. You gave 2 of its 2.");
});

test("a member without a team is told so", async () => {
	houses({ Near: [], Standing: { Rank: 0, Score: 0, ToNext: 0 } });
	page(`<laurel-board windows="day" user="t1"></laurel-board>`);
	await shows(() => drawn() && said());
	same([said(), all(".mine").length], ["You are in no team.", 0]);
});

test("a standing and winners are of teams, too, whichever part comes first", async () => {
	houses({ Near: [team(1, 213, "Blue"), team(2, 210)], Standing: { Rank: 2, Score: 210, ToNext: 4, Team: "t2", Own: 34 } });
	laurel.won = [{ Period: "2026-10", EndsAt: "2026-11-01T00:00:00Z", Teams: true, Entries: [team(1, 5, "Red"), team(2, 4)] }];
	page(`<laurel-standing user="u9"></laurel-standing><laurel-winners></laurel-winners>`);
	await shows(() => text("standing").includes("You gave") && text("winners").includes("Red"));
	same(words(all(".gap", "standing")[0]), "Your team is 2nd. 4 points behind \u2068Blue\u2069, 1st. 12 hours left. You gave 34 of its 210.");
	same(all(".winner .text", "winners").map(words), ["Red", "t2"]);
});
