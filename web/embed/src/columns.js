// Two columns: beside each score the one of the period before, where there is room.
import { h } from "./core.js";
import { partsOf } from "./features.js";

const wanted = (board, page) => board.given("columns") && page && !page.of && page.window !== "all" && board.attr("layout") !== "compact";

/** before returns the period before a page's. */
const before = (board, page) => board.answers.periods?.periods.find((p) => Date.parse(p.endsAt) <= Date.parse(page.startsAt));

export const columns = {
  wants(board, all, page) {
    if (!wanted(board, page)) return;
    const path = board.path(board.current);
    const period = before(board, page)?.period;
    all.periods ??= [board.address(`${path}/periods`), Infinity];
    // The rows of all visitors are one address, the member's and those beside it another.
    const scores = (entries) => {
      const users = entries.flatMap(({ user }) => user.id ?? []).slice(0, 100).sort().map((u) => `users=${encodeURIComponent(u)}`);
      return period && users[0] && [`${board.address(path, { period })}&${users.join("&")}`, 60 * board.every];
    };
    all.past = scores(page.entries) || [];
    all.beside = scores(board.near ? board.near.entries : []) || [];
  },

  show(board, tree, page) {
    const past = wanted(board, page) && before(board, page);
    if (!past) return;
    const { n, title } = board.say;
    const { answers: { past: rows, beside } } = board;
    const scores = new Map([rows, beside].flatMap((some) => some?.standings?.map((s) => [s.user.id, s.rank && s.score]) ?? []));
    const cell = (key) => (scores.has(key) ? (n(scores.get(key)) ?? "–") : "");
    const [table] = partsOf(tree, "table");
    for (const { t, a, c } of partsOf(tree, "row")) if (t === "tr") c.push(h("td", { p: "past" }, cell(a.key)));
    for (const { t, c } of table?.c ?? []) {
      if (t === "thead") c[0].c.push(h("th", { class: "past" }, title({ ...page, ...past }, true)));
      else for (const row of c) if (row.a?.class === "gap") row.c[0].a.colspan = 4;
    }
  },
};
