// Laurel as tests have it: a page's requests are answered here, and noted. Boards are those of package embed.
const laurel = {
	boards: {}, token: "a.b.c", hidden: false, excluded: false, // set by PUT visibility
	own: [], won: [], kept: [], // standings that the member alone sees, boards that are over, entries of the member
	did: {}, // today's actions, as /activity tells them
	actions: {
		visit: { board: "activity", points: 1, cap: 100 }, like: { board: "activity", points: 2, cap: 50 },
		comment: { board: "activity", points: 3, cap: 30 },
	},
	fail() {}, // returns another answer to a request
	late() {}, // returns a promise before an answer, which is of the time of its request
	open: 0, // requests that are not answered, but for late ones
	asked: [], // { at, what, token }
	requests: (piece) => laurel.asked.filter(({ what }) => what.includes(piece)).length,
	loaded: (piece) => performance.getEntriesByType("resource").filter(({ name }) => name.includes(piece)).length,
	get sent() { return laurel.asked.flatMap(({ token }) => token ?? []); },
};

{
	const real = window.fetch;
	window.fetch = async (address, { method = "GET", headers = {}, body } = {}) => {
		const { pathname: path, search, searchParams: query } = new URL(address, location);
		if (!/^\/(v1\/|token$)/.test(path)) return real(address);
		const request = { method, path, query, body, token: headers.Authorization?.slice("Bearer ".length) };
		laurel.asked.push({ at: Date.now(), what: `${method} ${path}${search}`, token: request.token });
		laurel.open++;
		try {
			const answer = (await laurel.fail(request)) ?? Response.json(answerTo(request));
			await null;
			return answer;
		} finally {
			laurel.open--;
			await laurel.late(request);
		}
	};

	const day = (ago) => new Date(Date.parse("2026-11-20") - ago * 864e5).toISOString();
	const answerTo = ({ method, path, query, body }) => {
		const parts = path.split("/");
		switch (parts.at(-1)) {
			case "boards": return {
				boards: Object.values(laurel.boards).map((b) => ({ board: b.Name, windows: ["day", "month"], labels: b.Labels, unit: b.Unit })),
			};
			case "periods": return { periods: [0, 1].map((ago) => ({ period: day(ago).slice(0, 10), startsAt: day(ago), endsAt: day(ago - 1) })) };
			case "articles": return { articles: [
				{ id: "1", title: "A title", link: "https://forum.example/1", votes: 17, author: { id: "ann", name: "Ann" } },
				{ id: "2", title: "Another", link: null, votes: 1, author: { id: null } },
			] };
			case "days": return { days: Array.from({ length: 31 }, (_, i) => ({ day: day(i).slice(0, 10), scores: { activity: i % 7 } })) };
			case "visibility":
				if (method === "PUT") laurel.hidden = body.includes(`"hidden"`);
				return { boards: laurel.hidden ? "hidden" : "shown", days: "private" };
			case "rules": return { versions: [{ actions: laurel.actions }] };
			case "exclusion": return { excluded: laurel.excluded };
			case "activity": return { days: [{ day: "2026-11-20", actions: laurel.did, scores: {} }] };
			case "winners": {
				const { page, next } = cut(laurel.won, path, query, "from");
				return {
					window: parts[4], of: laurel.won[0]?.Teams ? "teams" : undefined, next,
					periods: page.map((b) => ({ period: b.Period, endsAt: b.EndsAt, entries: b.Entries.map(b.Teams ? teamOf : entryOf) })),
				};
			}
			case "entries": return { entries: laurel.kept };
			case "standings": return { standings: laurel.own };
			case "votes": return { votes: ["2"] };
			case "token": return { token: laurel.token };
			case "activities": return { receipts: Array.from({ length: 30 }, () => ({
				status: "counted", points: 2, board: "activity", day: "2026-11-20", scores: { day: 99, month: 99 },
			})) };
		}
		const b = laurel.boards[parts[3]], one = parts.length > 5, at = b.Standing;
		const { page, next } = one && parts.at(-1) !== "friends" ? { page: b.Near ?? [] } : cut(b.Entries ?? [], path, query, "offset");
		return {
			board: b.Name, window: b.Window, period: b.Period, timezone: b.Zone ?? "UTC", startsAt: b.StartsAt, asOf: b.AsOf,
			endsAt: b.EndsAt.startsWith("0001") ? null : b.EndsAt, final: false, total: b.Total, next, of: b.Teams ? "teams" : undefined,
			entries: page.map((e) => ({ ...(b.Teams ? teamOf : entryOf)(e), ...(parts.at(-1) === "friends" && { previousRank: undefined }) })),
			standing: one && at ? { rank: at.Rank || null, score: at.Score, toNext: at.ToNext || null, previousRank: null, user: { id: query.get("user") ?? parts[6], name: "Me" }, ...(b.Teams && { own: at.Own, team: at.Team ? { id: at.Team, label: at.TeamName || undefined, members: 3 } : undefined }) } : undefined,
		};
	};
	// cut returns the part of a list that is asked for, and the address of the next.
	const cut = (all, path, query, from) => {
		const limit = +query.get("limit") || all.length, begin = +query.get(from), end = begin + limit;
		return { page: all.slice(begin, end), next: end < all.length ? `${path}?limit=${limit}&${from}=${end}` : undefined };
	};
	const teamOf = ({ Rank, Score, Previous, ID, name, Members }) => ({
		rank: Rank, score: Score, previousRank: Previous || null, team: { id: ID, label: name, members: Members },
	});
	const entryOf = ({ Rank, Score, Previous, ID, name, avatar, link, firsts }) => ({
		rank: Rank || null, score: Score, previousRank: Previous || null,
		user: {
			id: ID || null, erased: !ID || undefined, name, avatar, link, firsts,
		},
	});
}

// The boards of tests: one of today at noon, and people on it.
const entry = (Rank, Score, name, more) => ({ Rank, Score, name, ID: `u${Rank}`, ...more });
const several = (n) => Array.from({ length: n }, (_, i) => entry(i + 1, 100 - i, `User ${i + 1}`, {
	link: "https://forum.example/u", Previous: (i + 2) % n,
}));
const today = (Entries, more) => laurel.boards.activity = {
	Name: "activity", Window: "day", Period: "2026-11-20", AsOf: "2026-11-20T12:00:00Z", StartsAt: "2026-11-20T00:00:00Z",
	EndsAt: "2026-11-21T00:00:00Z", Total: Entries.length, Entries, Labels: { en: "Activity", zh: "活跃榜", vi: "Hoạt động" },
	Unit: { en: "points", zh: "积分", vi: "điểm" }, ...more,
};
// whole has a user's place below it.
const whole = (n = 10) => today(several(n), { Total: 30, Near: [entry(20, 2, "Me")], Standing: { Rank: 20, Score: 2, ToNext: 3 } });
