// Reads with a visitor's token, and their order.

const friends = `<laurel-board windows="day" user="u2" friends token-url="/token"></laurel-board>`;

test("friends: the member's place among them, and those without points last", async () => {
	today([entry(1, 9, "Ann"), entry(2, 5, "Me"), entry(0, 0, "Zoe", { ID: "zoe" })], { Standing: { Rank: 2, Score: 5, ToNext: 5 } });
	page(friends);
	await shows(drawn);
	same(all("tbody tr").map(words), ["1 A Ann 9", "2 M Me you 5", "– Z Zoe 0"]);
	await shows(() => text().includes("3 likes behind \u2068Ann\u2069, 1st. 12 hours left."));
	same([laurel.requests("/users/u2/friends?"), laurel.requests(`${board}?`), laurel.sent], [1, 0, ["a.b.c", "a.b.c"]]);
});

test("the property token is a token or a function, and goes with nothing that is public", async () => {
	whole();
	const one = friends.replace(` token-url="/token"`, "").replace("u2", "u1"); // a user with nobody to overtake
	page(one + one + one + plain);
	await shows(() => text().includes("Log in to see it."));
	const boards = [...document.querySelectorAll("laurel-board")];
	["a.b.c", () => "d.e.f", async () => "g.h.i"].forEach((token, i) => (boards[i].token = token));
	await shows(() => boards.every((b) => b.shadowRoot.querySelector("tbody tr")));
	same(laurel.sent.sort(), ["a.b.c", "d.e.f", "g.h.i"]);
});

// A token that is rejected is asked for once more. There is no third time, until the next try a minute later.
for (const [name, { by = "url", next = "2.b.c", good, sent = ["1.b.c", "2.b.c"], gateway }] of Object.entries({
	"signed again": { good: "2.b.c" },
	"behind API Gateway": { good: "2.b.c", gateway: true },
	rejected: {},
	"the same": { next: "1.b.c", sent: ["1.b.c"] },
	"a function": { by: "function", good: "2.b.c" },
	"a text": { by: "text", sent: ["1.b.c"] },
})) {
	test(`a rejected token: ${name}`, async () => {
		whole();
		laurel.token = "1.b.c";
		laurel.fail = ({ token }) => {
			if (!token || token === good) return;
			laurel.token = next;
			return gateway ? Response.json({ message: "Forbidden" }, { status: 403 }) : new Response(null, { status: 401 });
		};
		const one = friends.replace("u2", "u1"); // one whose read needs a token
		page(by === "url" ? one : one.replace("token-url", "no-url"));
		if (by !== "url") {
			await shows(() => text().includes("Log in to see it."));
			let n = 0;
			element().token = by === "text" ? "1.b.c" : () => `${++n}.b.c`;
		}
		await shows(() => (good ? drawn() : laurel.sent[0] && text().includes("Log in to see it.")));
		await pass(59e3);
		same(laurel.sent, sent);
	});
}

test("a token is asked for once, for any elements of the page, and kept", async () => {
	whole();
	page(friends + `<laurel-hide user="u2" token-url="/token"></laurel-hide>`);
	await shows(() => drawn() && all("input", "hide").length);
	await pass(600e3);
	same([laurel.requests("/token"), laurel.sent.length > 8], [1, true]);
});

test("a forum that signs no token is asked again a minute later", async () => {
	whole();
	laurel.token = "";
	page(friends);
	await shows(() => text().includes("Log in to see it."));
	await pass(59e3);
	same(laurel.requests("/token"), 1);
	laurel.token = "a.b.c";
	await pass(60e3);
	await shows(drawn);
});

const box = () => all("input", "hide")[0];

test("the switch shows the state, puts the choice, and still shows it when it is seen again", async () => {
	page(`${far}<laurel-hide user="u 2" token-url="/token"></laurel-hide>${far}`);
	await look(element("hide"));
	await shows(() => box().checked);
	const heard = [];
	for (const name of ["change", "error"]) addEventListener(`laurel-${name}`, ({ detail }) => heard.push(detail.boards ?? name));
	box().click();
	await shows(() => heard.length);
	same([heard, laurel.requests("PUT /v1/users/u%202/visibility"), laurel.hidden], [["hidden"], 1, true]);
	await look();
	await look(element("hide"));
	await shows(() => !box().checked);
	laurel.fail = ({ method }) => (method === "PUT" ? busy(0)() : null);
	box().click();
	await shows(() => heard[1] === "error" && !box().checked);
});

test("the switch sends its choice out of view, too", async () => {
	page(`<laurel-hide user="me" token-url="/token"></laurel-hide>${far}<p>The end</p>`);
	await shows(() => box().checked);
	await look(document.body.lastElementChild);
	box().click();
	await shows(() => !box().checked && laurel.hidden);
	same(laurel.requests("PUT "), 1);
});

test("the switch sends its choice while a read is under way, and pressed three times", async () => {
	page(`<laurel-hide user="me" token-url="/token"></laurel-hide>`);
	await shows(() => box().checked);
	let answer; // of a read that began before the choice: it comes after it, with the former state
	const answered = new Promise((done) => (answer = done));
	laurel.late = ({ method }) => method === "GET" && answered;
	const read = laurel.requests("GET ");
	element("hide").reload();
	await shows(() => laurel.requests("GET ") > read);
	box().click();
	await shows(() => laurel.requests("PUT ") === 1);
	answer();
	await pass(100);
	same([box().checked, laurel.hidden], [false, true]);
	for (let n = 3; n; n--) box().click();
	await shows(() => !laurel.hidden);
	await pass(0);
	same([box().checked, laurel.hidden], [true, false]);
});

test("articles say which of them the visitor has voted for", async () => {
	page(`<laurel-hot user="u2" token-url="/token"></laurel-hot>`);
	await shows(() => all(".voted", "hot").length);
	same(all("li", "hot").map((l) => l.innerText.replace(/\n+/g, "|") + !!l.querySelector(".voted") + !!l.querySelector("a")),
		["A title|▲ 17 votes|Annfalsetrue", "Another|▲ 1 vote|Deletedtruefalse"]);
	same(laurel.requests("/v1/users/u2/votes?article=1&article=2"), 1);
});

// A board that the public list lacks, and that the private one has.
const staff = { board: "staff", window: "day", period: "2026-11-20", timezone: "UTC", startsAt: "2026-11-20T00:00:00Z",
	asOf: "2026-11-20T12:00:00Z", endsAt: "2026-11-21T00:00:00Z", final: false, total: 1,
	entries: [{ rank: 1, score: 7, previousRank: null, user: { id: "ann", name: "Ann" } }] };
const forMembers = ({ path, token }) => {
	if (path === "/v1/private/boards") return token && Response.json({ boards: [{ board: "staff", windows: ["day"], labels: { en: "Staff" }, unit: {} }] });
	if (/^.v1.private.boards.staff.day/.test(path)) return token && Response.json(path.endsWith("winners") ? { window: "day", periods: [] } : staff);
	if (/staff|nothing/.test(path)) return Response.json({ status: 404, code: "unknown_board" }, { status: 404 });
};

for (const given of ["", ` window="day"`]) {
	test(`a board for members asks a guest to log in, and a member's token reads it:${given}`, async () => {
		whole();
		laurel.fail = forMembers;
		page(`<laurel-board board="staff"${given}></laurel-board>`);
		await shows(() => text() === "Log in to see it.");
		same(laurel.requests("/private/"), 0);
		element().token = "a.b.c";
		await shows(drawn);
		same([all("tbody tr").map(words), all("h2")[0].firstChild.data], [["1 A Ann 7"], "Staff"]);
		same(laurel.asked.filter(({ what, token }) => what.includes("/private/") !== !!token), []);
		element().token = null;
		await shows(() => text() === "Log in to see it.");
	});
}

test("a board that no list has is none to a member, either", async () => {
	whole();
	laurel.fail = forMembers;
	page(`<laurel-board board="nothing" window="day" token-url="/token"></laurel-board>`);
	await shows(() => text() === "There is no such board.");
});
