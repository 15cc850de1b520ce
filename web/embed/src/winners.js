// <laurel-winners>: the hall of fame, the first users in the periods of a board, back to the first one.
import { h } from "./core.js";

export const winners = {
  wants() {
    const length = this.number("limit", 12, 1, 31) + this.further;
    const url = this.address(`${this.path(this.attr("window", "month"))}/winners`, { top: this.attr("top") });
    return { ...this.wantsBoards, page: [url, 60 * this.every, false, length] };
  },

  show({ periods, window, next }) {
    const { t, label } = this.say;
    return [
      h("h2", { p: "heading" }, t("won", { period: label(this.listed?.labels) ?? t(window) })),
      periods[0] ? periods.map((p) => h("section", { p: "period", key: p.period }, h("h3", {}, this.past(p, window)), this.best(p))) : h("p", { p: "empty" }, t("none")),
      next && h("button", { type: "button", p: "window more", onclick: () => this.update((this.further += 12)) }, t("more"))];
  },
};
