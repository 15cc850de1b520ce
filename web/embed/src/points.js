// The acts that give points, behind a small "?", with their points and caps by the rules.
import { h } from "./core.js";
import { button, partsOf } from "./features.js";
import { deed, versionOf } from "./rules.js";

/** acts returns a line for each action and metric of a board, the best paid first. */
const acts = (board, rules, page) => {
  const { say: { t, label }, unit, now } = board;
  const day = new Date(now).toLocaleDateString("sv", { timeZone: page.timezone });
  const { actions = {}, metrics = {} } = versionOf(rules, day);
  const here = (all) => Object.entries(all).filter(([, rule]) => rule.board === page.board);
  const aged = (said, { minAgeDays: n }) => (n ? t("aged", { what: said, n }) : said);
  return [
    ...here(actions).filter(([, rule]) => rule.points).sort(([, a], [, b]) => b.points - a.points).map(([action, rule]) => {
      const sum = t("amount", { n: rule.points, unit });
      const said = t("deed", { what: label(rule.labels) ?? deed(board, action, 1), sum });
      return aged(rule.cap ? t("capped", { what: said, n: rule.cap }) : said, rule);
    }),
    ...here(metrics).map(([metric, rule]) => aged(t("metric", { what: deed(board, metric, rule.max, rule) }), rule)),
  ];
};

export const points = {
  wants(board, all) {
    if (board.given("points") && board._explains) all.rules = [board.address("rules"), Infinity];
  },

  show(board, tree, page) {
    const { _explains: open, answers: { rules }, errors, say: { t } } = board;
    const at = tree.findIndex((node) => node?.a?.class === "header");
    if (!board.given("points") || board.data || at < 0) return;
    const help = button(board, "points", () => board.update((board._explains = !open)),
      { "aria-expanded": `${!!open}`, "aria-label": t("points"), title: t("points") });
    help.c = ["?"];
    const [heading, ...rest] = tree[at].c;
    tree[at].c = [h("div", { class: "line" }, heading, help), ...rest];
    const said = open && (rules ? acts(board, rules, page) : errors.rules ? [t("failed")] : []);
    if (said) tree.splice(at + 1, 0, h("ul", { p: "acts" }, (rules && !said[0] ? [t("none")] : said).map((a) => h("li", {}, a))));
  },
};
