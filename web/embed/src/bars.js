// Bars: how far the scores are from each other, below each name.
import { h } from "./core.js";
import { partsOf } from "./features.js";

export const bars = {
  show(board, tree, page) {
    if (!board.given("bars")) return;
    const near = board.near ? board.near.entries : [];
    const scores = new Map([...page.entries, ...near].map((e) => [e.user.id ?? e.rank, Math.max(0, e.score)]));
    const most = Math.max(1, ...scores.values());
    for (const row of partsOf(tree, "row")) {
      const [name] = partsOf(row.c, "name");
      name?.c.push(h("div", { p: "bar", "aria-hidden": true, ".style": `width:${(100 * (scores.get(row.a.key) ?? 0)) / most}%` }));
    }
  },
};
