// Texts of elements in place of a view that they cannot show.

const filling = () => Response.json({ status: 503, code: "filling" }, { status: 503, headers: { "Retry-After": "30" } });
const gone = () => Promise.reject(new TypeError("Failed to fetch"));
const guests = `<laurel-board windows="day" friends token-url="/token"></laurel-board><laurel-standing></laurel-standing>
	<laurel-heatmap token-url="/token"></laurel-heatmap><laurel-hide user="" token-url="/token"></laurel-hide>`;
const shown = () => [...document.querySelectorAll("body > *")].map((e) => e.shadowRoot?.querySelector(".board")?.innerText.trim()).join("|");

for (const [lang, completed, away, again, login] of [
	["en", "The board is being completed.", "Not reachable.", "Try again", "Log in to see it."],
	["zh-CN", "排行榜正在补全。", "无法连接。", "重试", "登录后可见。"],
	["vi", "Bảng đang được hoàn thiện.", "Mất kết nối.", "Thử lại", "Đăng nhập để xem."],
]) {
	test(`a board that is filled says so: ${lang}`, async () => {
		whole();
		laurel.fail = ({ path }) => path.includes("/boards/") && filling();
		page(plain.replace(">", ` lang="${lang}">`));
		await shows(() => text() === `${completed} ${again}`);
		laurel.fail = () => {};
		await pass(34e3); // as Retry-After says
		await shows(drawn);
	});

	test(`a page that does not reach Laurel says so once, and lets one try again: ${lang}`, async () => {
		whole();
		laurel.fail = gone;
		document.documentElement.lang = lang;
		page(six(`user="u2" token-url="/token"`) + plain);
		await shows(() => document.querySelectorAll("laurel-board")[1].shadowRoot.querySelector("slot[name=error]"));
		await shows(() => shown().replace(/\|+$/, "") === `${away} ${again}`);
		laurel.fail = () => {};
		root().querySelector("button").click();
		await shows(() => drawn() && all("li", "hot").length && all("input", "hide").length);
		same(text().includes(away), false);
	});

	test(`a guest is told to log in: ${lang}`, async () => {
		whole();
		laurel.token = "";
		document.documentElement.lang = lang;
		page(guests);
		await shows(() => shown() === [login, login, login, login].join("|"));
		same(all("button").length, 0); // a retry does not help where a login is needed
	});
}

test("the first try again is after 5 seconds, and one success brings back the rest", async () => {
	whole();
	laurel.fail = gone;
	page(plain + `<laurel-hot></laurel-hot>`);
	await shows(() => text().includes("Not reachable."));
	await pass(40e3); // the pauses of the two are of another length by now
	laurel.fail = () => {};
	await pass(41e3);
	await shows(() => drawn() && all("li", "hot").length);
	const [list, articles] = [board, "/articles"].map((piece) => laurel.asked.filter(({ what }) => what.includes(piece)));
	same([list[1].at - list[0].at < 6e3, Math.abs(list.at(-1).at - articles.at(-1).at) < 100], [true, true]);
});

test("an element that is not seen leaves the sentence to those that are", async () => {
	whole();
	laurel.fail = gone;
	page(plain + far + plain.replace("day", "month"));
	await shows(() => text().includes("Not reachable."));
	const second = document.querySelectorAll("laurel-board")[1];
	await look(second);
	await shows(() => second.shadowRoot.textContent.includes("Not reachable."));
});

for (const [name, code, status, want] of [
	["a board that is none", "unknown_board", 404, "There is no such board."],
	["a token of somebody else", "other_user", 403, "Not available."],
	["an attribute that is wrong", "invalid", 422, "Not available."],
	["a defect", "internal", 500, "Not reachable. Try again"],
]) {
	test(`states: ${name}`, async () => {
		whole();
		laurel.fail = ({ path }) => path.includes("/boards/") && Response.json({ status, code }, { status });
		page(plain);
		await shows(() => text() === want);
	});
}

test("days that are private are not called a login's where no forum signs for one", async () => {
	whole();
	laurel.fail = ({ path }) => path.endsWith("/days") && Response.json({ status: 404, code: "days_private" }, { status: 404 });
	page(`<laurel-heatmap user="ann"></laurel-heatmap>`);
	await shows(() => text("heatmap") === "Not public.");
});

test("a guest who asks why gets a link to log in", async () => {
	today([entry(1, 40, "Ann"), entry(2, 12, "Me")]);
	laurel.token = "";
	page(mine);
	await shows(() => all(".why").length);
	all(".why summary")[0].click();
	await shows(() => all(".why .error")[0].textContent === "Log in to see it.");
});

for (const [lang, want] of [["en", "You are not shown."], ["zh", "你不会显示在榜上。"], ["vi", "Bạn không được hiển thị."]]) {
	test(`an excluded member sees that, and has no switch: ${lang}`, async () => {
		today(several(10), { Total: 30, Standing: {} });
		laurel.excluded = true;
		document.documentElement.lang = lang;
		page(`<laurel-board windows="day" user="me" token-url="/token"></laurel-board>
			<laurel-standing user="me" token-url="/token"></laurel-standing><laurel-hide user="me" token-url="/token"></laurel-hide>`);
		await shows(() => said() === want && text("standing") === want && text("hide").endsWith(want));
		const [box] = all("input", "hide");
		same([box.checked, box.disabled], [false, true]);
	});
}

test("a hidden member without points is not invited to the board", async () => {
	today(several(10), { Total: 30, Standing: {} });
	laurel.hidden = true;
	page(`<laurel-board windows="day" user="me" token-url="/token"></laurel-board>`);
	await shows(() => said().startsWith("You are not shown."));
});

// The texts after a period that is over are in the past, for every reader.
for (const [window, lang, want] of [
	["day", "en", "A new day has begun."], ["week", "en", "A new week has begun."], ["month", "en", "A new month has begun."],
	["year", "en", "A new year has begun."], ["month", "zh", "新的一月已经开始。"], ["month", "vi", "Tháng mới đã bắt đầu."],
]) {
	test(`over: ${want}`, async () => {
		today(several(3), { Window: window, StartsAt: "2026-11-18T00:00:00Z", EndsAt: "2026-11-20T10:00:00Z" });
		page(`<laurel-board windows="${window}" user="u2" lang="${lang}"></laurel-board>`);
		await shows(() => said().endsWith(want));
	});
}

// The member's own row is below a friends board, as below every other.
for (const [name, standing, row] of [
	["", { Rank: 20, Score: 3, ToNext: 1 }, "20 M Me you 3"], ["next", { Rank: 4, Score: 97, ToNext: 2 }, "4 M Me you 97"],
	["without points", { Rank: 0, Score: 0 }, "– M Me you 0"],
]) {
	test(`friends show the member's own row ${name}`, async () => {
		today(several(10), { Total: 30, Standing: standing });
		page(`<laurel-board windows="day" user="me" friends limit="3" token-url="/token"></laurel-board>`);
		await shows(() => all(".mine").map(words).join() === row);
		same([all(".mine").length, laurel.requests("/users/me?")], [1, 0]);
	});
}
