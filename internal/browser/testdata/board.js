// The rows of a board, and their order.

test("a board has its name from the start, also when its rows arrive before it does", async () => {
	whole();
	let answer, rows;
	const answered = new Promise((done) => (answer = done));
	laurel.late = ({ path }) => path === "/v1/boards" && answered;
	addEventListener("laurel-load", ({ detail }) => (rows ??= detail.answer.entries?.length));
	page(plain);
	await shows(() => rows);
	same(text(), "");
	answer();
	await shows(drawn);
	same(root().querySelector("h2").textContent, "ActivityToday");
});

test("a picture that fails gives way to the first letter", async () => {
	today([entry(1, 5, "zoe", { avatar: `${location.origin}/none.png` })]);
	page(plain);
	await shows(() => text().includes("Zzoe"));
});

// A podium has no least width: names of any length fit a narrow column, where cards are below each other.
for (const width of [200, 320]) {
	test(`a podium in ${width} px`, async () => {
		today([entry(1, 5, "W".repeat(100)), entry(2, 4, "<script>window.hacked = 1</script>"), entry(3, 3, "🙂🙂")]);
		page(`<div style="display:grid;width:${width}px"><laurel-board windows="day" layout="podium"></laurel-board><p>Text</p></div>`);
		await shows(() => all(".place").length === 3);
		same([element().offsetWidth <= width, all(".place").filter((p) => p.scrollWidth > p.clientWidth).length], [true, 0]);
	});
}

test("a user who moves between two pages while they are read stays on the board, once", async () => {
	today(several(250));
	let reads = 0;
	laurel.fail = ({ path }) => {
		if (path.endsWith(board) && ++reads % 2 === 0) { // the one after each page climbs to the top between two reads
			const all = laurel.boards.activity.Entries;
			[all[0], all[10]] = [{ ...all[10], Rank: 1 }, { ...all[0], Rank: 11 }];
		}
	};
	page(`<laurel-board windows="day" limit="10" more></laurel-board>`);
	const rows = () => all("tbody .text").map((b) => b.textContent);
	await shows(drawn);
	for (let n = 20; n <= 130; n += 10) { // beyond the size of one answer
		all("button").at(-1).click();
		await shows(() => rows().length === n);
	}
	for (let n = 4; n; n--) {
		await pass(70e3);
		same([rows().length, new Set(rows()).size, rows().includes("User 1"), rows().includes("User 11")], [130, 130, true, true]);
	}
});

test("a day of the heatmap tells its value by touch and by the keyboard; months and colors stand beside", async () => {
	whole();
	page(`<laurel-heatmap user="me"></laurel-heatmap>`);
	await shows(() => all(".legend rect", "heatmap").length === 5);
	const value = () => all(".value", "heatmap")[0].textContent;
	same(all("svg text", "heatmap").map((t) => t.textContent), ["Oct", "Nov", "Mon", "Wed", "Fri"]);
	all("[part=day]", "heatmap").at(-2).dispatchEvent(new MouseEvent("click"));
	await shows(() => value() === "November 19, 2026: 1 points");
	all("svg", "heatmap")[0].dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft" }));
	await shows(() => value().startsWith("November 18, 2026: "));
});

test("a user who has won periods has a wreath with their number", async () => {
	today([entry(1, 3, "Ann"), entry(2, 2, "Bob", { firsts: 3 }), entry(3, 1, "Cid", { firsts: 1 })]);
	page(plain);
	await shows(() => all(".wreath").map((w) => w.title + "; " + words(w)).join() ===
		"3 first places; 3 3 first places,1 first place; 1 1 first place");
	same([all("details").length, laurel.loaded("more.")], [0, 0]); // the first part of the module has it all
});

// A board that has just begun has the winners of the one before above it; a later one has not.
for (const [hour, width, want] of [["01", 900, "Winners: November 19, 2026 1st K Kim 2 2 first places 86"], ["01", 200, "Winners:"], ["07", 900, ""]]) {
	test(`winners above a board of ${hour} hours, ${width} px wide`, async () => {
		today(several(3), { AsOf: `2026-11-20T${hour}:00:00Z` });
		laurel.won = [{ Period: "2026-11-19", EndsAt: "2026-11-20T00:00:00Z", Entries: [
			entry(1, 86, "Kim", { firsts: 2 }), entry(2, 85, "W".repeat(100)),
		] }];
		page(`<div style="display:grid;width:${width}px">${plain}</div>`);
		await shows(() => drawn() && all(".winners").map(words).join().startsWith(want));
		same([laurel.requests("/winners"), all(".winners").length], want ? [1, 1] : [0, 0]);
		same(element().offsetWidth <= width, true);
	});
}

test("the hall of fame goes back to the first month", async () => {
	for (let i = 0; i < 30; i++) {
		const month = (n) => new Date(Date.UTC(2026, n - i)).toISOString();
		laurel.won.push({ Period: month(9).slice(0, 7), EndsAt: month(10), Entries: [entry(1, 9, `Kim ${i}`)] });
	}
	today([]);
	page(`<laurel-winners></laurel-winners>`);
	for (const months of [12, 24, 30]) {
		await shows(() => all(".period", "winners").length === months);
		all("button", "winners")[0]?.click();
	}
	await shows(() => !all("button", "winners").length);
	same([text("winners").startsWith("Winners: Activity"), words(all("section", "winners")[0])], [true, "October 2026 1st K Kim 0 9"]);
});

for (const [lang, names, left, rolls] of [
	["en", ["Today", "Last 7 days", "Last 30 days", "This quarter"], "10 days left.", /^Last 7 days: .+ behind .+1st\.$/],
	["zh", ["今日", "最近 7 天", "最近 30 天", "本季度"], "还剩10天。", /^最近 7 天：距第 1 名.+。$/],
	["vi", ["Hôm nay", "7 ngày qua", "30 ngày qua", "Quý này"], "Còn 10 ngày.", /^7 ngày qua: Kém .+, hạng 1: .+\.$/],
]) {
	test(`windows and a contest have names: ${lang}`, async () => {
		for (const AsOf of ["2026-11-20T12:00:00Z", "2026-11-21T01:00:00Z"]) { // the night is late
			today(several(3), { Window: "7d", Period: "2026-11-20", StartsAt: "2026-11-14T00:00:00Z", EndsAt: "2026-11-21T00:00:00Z", AsOf, Standing: { Rank: 2, Score: 99, ToNext: 2 } });
			page(`<laurel-board windows="7d" user="u2" lang="${lang}"></laurel-board>`);
			await shows(() => rolls.test(said()));
		}
		today(several(3), { Window: "7d", Period: "2026-11-20", StartsAt: "2026-11-14T00:00:00Z" });
		page(`<laurel-board windows="day 7d 30d quarter" window="7d" lang="${lang}"></laurel-board>`);
		await shows(() => drawn() && text().includes(names[3]));
		same(all(".windows button").map(words), names);
		same([all("table")[0].ariaLabel.split(", ").at(-1), words(all(".current")[0])], [names[1], names[1]]);
		today(several(3), {
			Window: "contest", Period: "2026-11-01..2026-11-30", StartsAt: "2026-11-01T00:00:00Z", EndsAt: "2026-12-01T00:00:00Z",
			Standing: { Rank: 2, Score: 99, ToNext: 2 },
		});
		page(`<laurel-board windows="contest" user="u2" lang="${lang}"></laurel-board>`);
		await shows(() => said().includes(left));
		same(words(all("h2 small")[0]), ["2026-11-01", "2026-11-30"].map((day) =>
			new Date(day).toLocaleDateString(lang, { timeZone: "UTC", dateStyle: "long" })).join(" – "));
	});
}
