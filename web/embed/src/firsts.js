// First places: wreaths beside names, and the winners above a board that has just begun.
import { h } from "./tree.js";

/** leaf draws one in a square of 16. */
const leaf = "M2 14C1 6 6 1 15 1C15 9 11 14 2 14Z";

/** firsts are methods of all elements. */
export const firsts = {
  /** wreath shows how often a user was the first: by a number, and in words. */
  wreath(times) {
    const { n, t } = this.say;
    const label = t("firsts", { n: times });
    return h("span", { p: "wreath", title: label },
      h("span", { "aria-hidden": true }, h("svg", { viewBox: "0 0 16 16" }, h("path", { d: leaf })), n(times)), h("span", { class: "status" }, label));
  },

  /** won names the winners of the period before that of a page. */
  won({ window, startsAt }) {
    const [before] = this.answers.winners?.periods ?? [];
    return Date.parse(before?.endsAt) === Date.parse(startsAt) && h("div", { p: "winners" }, h("p", {}, this.say.t("won", { period: this.past(before, window) })), this.best(before, -1));
  },

  /** past is the name of a period that is over. */
  past({ period, endsAt }, window) {
    return this.say.title({ window, period, startsAt: window === "day" ? period : Date.parse(endsAt) - 561600e3 }, true); // noon of a week
  },

  /** best lists the first of a period. */
  best({ entries }, stop) {
    return h("ol", { p: "list" }, entries.map((e) => h("li", { p: "winner" },
      h("b", {}, this.say.place(e.rank)), this.person(e, true, stop), h("span", { p: "score" }, this.say.n(e.score)))));
  },
};
