// <laurel-heatmap>: the last days of a user, weeks as columns.
import { h } from "./core.js";

const size = 14; // of a day and the room beside it
const left = 2; // columns for the names of days

export const heatmap = {
  wants() {
    const mine = !!this.bearer;
    return { ...this.wantsBoards, page: [this.address(`${this.me}/${mine ? "activity" : "days"}`), this.slowly(), mine, this.number("days", 31, 1, 62), "days"] };
  },

  show({ days }) {
    const { n, t, tag, date } = this.say;
    const action = this.attr("action");
    const of = days.map(({ day, scores, actions }) => [day, (action ? actions?.[action]?.count : scores[this.boardName]) ?? 0, date(day)]).reverse();
    const most = Math.max(...of.map((d) => d[1]));
    const firstDay = new Intl.Locale(tag).getWeekInfo?.().firstDay ?? 1;
    const row = (day) => (new Date(day).getUTCDay() - firstDay + 7) % 7;
    let column = 0;
    const months = [];
    const level = (value) => value ? Math.ceil((4 * value) / most) / 4 : 0.14; // of its color
    const amount = (n) => t("amount", { n, unit: this.unit });
    const said = (what, n) => t("line", { what, value: amount(n) });
    const cells = of.map(([day, value, long], i) => {
      if (i && !row(day)) column++;
      const month = date(day, "UTC", { month: "short" });
      // A name needs the room of two weeks.
      if (months.at(-1)?.[0] !== month) months.push([month, column]);
      return h("rect", { part: "day", "fill-opacity": level(value), class: i === this.picked && "picked", x: (left + column) * size, y: (row(day) + 1.2) * size, onclick: () => this.pick(i) },
        h("title", {}, said(long, value)));
    });
    const names = months.filter(([, at], i) => !months[i + 1] || months[i + 1][1] - at > 1);
    const name = t("days", { n: of.reduce((sum, d) => sum + d[1], 0), unit: this.unit, from: of[0][2], to: of.at(-1)[2] });
    const [, value, long] = of[this.picked] ?? [];
    const step = { ArrowLeft: -1, ArrowRight: 1 };
    const onkeydown = (e) => {
      const at = (this.picked ?? of.length) + step[e.key];
      if (of[at]) this.pick(at, e.preventDefault());
    };
    return [
      h("svg", { viewBox: `0 0 ${(left + Math.max(12, column + 1)) * size} ${8.2 * size}`, role: "img", "aria-label": name, part: "heatmap", tabindex: 0, onkeydown },
        names.map(([month, at]) => h("text", { x: (left + at) * size, y: 11 }, month)),
        [1, 3, 5].map((r) => h("text", { y: (r + 2) * size - 1 }, date(Date.UTC(2024, 0, firstDay + r), "UTC", { weekday: "short" }))), cells),
      h("div", { p: "legend" }, n(0), h("svg", { viewBox: "0 0 70 12", "aria-hidden": true }, [0, 1, 2, 3, 4].map((c) => h("rect", { "fill-opacity": level((c * most) / 4), x: c * size }))), amount(most),
        h("span", { p: "value", role: "status" }, long && said(long, value))),
      this.given("table") && h("table", { class: "status", "aria-label": name }, h("tbody", {}, of.map((d) => h("tr", {}, h("th", { scope: "row" }, d[2]), h("td", {}, n(d[1]))))))];
  },

  /** pick shows the value of a day: by touch, or by the arrows of a keyboard. */
  pick(day) {
    this.picked = day;
    this.update();
  },
};
