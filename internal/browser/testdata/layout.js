// The look of elements: their order, languages and motion.

test("an element is as high as its board within 100 ms, and draws lines", async () => {
	whole();
	let answer;
	const answered = new Promise((done) => (answer = done));
	laurel.late = () => answered;
	page(plain);
	for (let frames = 3; frames; frames--) await new Promise(requestAnimationFrame);
	const [before, drawing] = [element().offsetHeight, getComputedStyle(all(".wait")[0]).backgroundImage];
	same([before > 400, drawing.includes("repeating")], [true, true]);
	answer();
	await shows(drawn);
	same(Math.abs(element().offsetHeight - before) < 64, true);
});

test("a link in an element is for pages without the module; other content is shown until the first answer", async () => {
	laurel.late = () => new Promise(() => {});
	page(`<laurel-board windows="day"><a href="/">Board</a></laurel-board><laurel-board windows="day"><p>Rows</p></laurel-board>`);
	await pass(0);
	const [link, content] = document.querySelectorAll("laurel-board");
	same([link.firstChild.getClientRects().length, content.firstChild.getClientRects().length], [0, 1]);
});

test("neighbours in the alphabet have initials of other colors", async () => {
	today(["Ann", "Bob", "Cid", "Dan", "Eve"].map((name, i) => entry(i + 1, 9 - i, name)));
	page(plain);
	await shows(drawn);
	const hues = all(".avatar").map((a) => +a.style.getPropertyValue("--h")).sort((a, b) => a - b);
	same([hues.length, hues.at(-1) - hues[0] > 120, hues.every((h, i) => !i || h - hues[i - 1] > 5)], [5, true, true]);
});

test("names of the other direction are cut at their ends", async () => {
	today([entry(1, 5, "عبد الرحمن الأنصاري محمد علي"), entry(2, 4, "Maximilian Alexander Berger")]);
	page(`<div style="width:200px">${plain}</div>`);
	await shows(drawn);
	same(all(".text").map((t) => getComputedStyle(t).direction), ["rtl", "ltr"]);
});

test("a rank and its movement are words of their own", async () => {
	today([entry(1, 5, "Ann", { Previous: 4 }), entry(2, 4, "Bob", { Previous: 2 })]);
	page(plain);
	await shows(drawn);
	same(all("td.rank").map((c) => c.textContent), ["1 ▲3", "2"]);
});

test("winners have columns, and a wreath moves no score of a podium", async () => {
	today([entry(1, 9, "Kim"), entry(2, 8, "Nora Quincy-Adams", { firsts: 3 }), entry(3, 7, "Bob")], { AsOf: "2026-11-20T01:00:00Z" });
	laurel.won = [{ Period: "2026-11-19", EndsAt: "2026-11-20T00:00:00Z", Entries: [entry(1, 86, "Kim"), entry(2, 85, "Ann"), entry(3, 84, "Bob")] }];
	page(`<div style="width:400px"><laurel-board windows="day" layout="podium"></laurel-board></div>`);
	await shows(() => all(".place").length === 3 && all(".winner").length === 3);
	const at = (what, side) => new Set(all(what).map((e) => Math.round(e.getBoundingClientRect()[side]))).size;
	same([at(".winner .person", "left"), at(".winner .score", "right"), at(".place .score", "bottom")], [1, 1, 1]);
	same(all(".place .text").filter((e) => e.scrollHeight > e.clientHeight + 2 || e.scrollWidth > e.clientWidth + 1).length, 0);
	same(new Set(all(".place .rank").map((e) => getComputedStyle(e).backgroundColor)).size, 3);
});

test("a hall of fame has its name, once", async () => {
	laurel.won = [{ Period: "2026-10", EndsAt: "2026-11-01T00:00:00Z", Entries: [entry(1, 9, "Kim")] }];
	today([]);
	page(`<laurel-winners lang="zh"></laurel-winners>`);
	await shows(() => text("winners").includes("优胜者：活跃榜2026年10月"));
});

test("articles have an age", async () => {
	const answer = { articles: [{ id: "1", title: "A", votes: 3, author: { name: "Ann" }, publishedAt: new Date(Date.now() - 5 * 36e5).toISOString() }] };
	laurel.fail = ({ path }) => (path.endsWith("articles") ? Response.json(answer) : undefined);
	page(`<laurel-hot></laurel-hot>`);
	await shows(() => all("small", "hot").map(words).join() === "Ann · 5 hours ago");
});

test("the heatmap has days of the week and a unit, with the marks of each language", async () => {
	whole();
	page(`<laurel-heatmap user="me" lang="zh"></laurel-heatmap>`);
	await shows(() => all("[part=day] title", "heatmap").at(-2)?.textContent === "2026年11月19日：1 积分");
	same([all("svg text", "heatmap").slice(-3).map((t) => t.textContent), words(all(".legend", "heatmap")[0])], [["周二", "周四", "周六"], "0 6 积分"]);
});

test("rows slide to their new places, for readers who accept motion", async () => {
	today(several(5));
	page(mine);
	await shows(() => said());
	const moved = [];
	Element.prototype.animate = function (frames) { moved.push(this.textContent, frames[0].transform); };
	const { Entries } = laurel.boards.activity;
	laurel.boards.activity.Entries = [Entries[1], Entries[0], ...Entries.slice(2)].map((e, i) => ({ ...e, Rank: i + 1 }));
	element().reload();
	await shows(() => all("tbody .text")[0].textContent === "User 2");
	same([moved.length, moved[1].startsWith("translateY(")], [4, true]);
});
