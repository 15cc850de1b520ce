// <laurel-heatmap>: the last days of a user, weeks as columns.
import { Element } from "./element.js";
import { h } from "./tree.js";

const size = 14; // of a day and the room beside it

export class Heatmap extends Element {
  wants() {
    const mine = !!this.bearer;
    return { ...this.wantsBoards, page: [this.address(`${this.me}/${mine ? "activity" : "days"}`, { days: this.number("days", 31, 1, 62) }), this.every, mine] };
  }

  show({ days }) {
    const { n, t, tag, date } = this.say;
    const action = this.attr("action");
    const of = days.map(({ day, scores, actions }) => [day, (action ? actions?.[action]?.count : scores[this.attr("board", "activity")]) ?? 0, date(day)]).reverse();
    const most = Math.max(...of.map((d) => d[1]));
    const firstDay = new Intl.Locale(tag).getWeekInfo?.().firstDay ?? 1;
    const row = (day) => (new Date(day).getUTCDay() - firstDay + 7) % 7;
    let column = 0;
    const cells = of.map(([day, value, long], i) => {
      if (i && !row(day)) column++;
      return h("rect", { part: "day", class: `c${value && Math.ceil((4 * value) / most)}`, x: column * size, y: row(day) * size },
        h("title", {}, long, ": ", n(value)));
    });
    const name = t("days", { n: of.reduce((sum, d) => sum + d[1], 0), unit: this.unit, from: of[0][2], to: of.at(-1)[2] });
    return [
      h("svg", { viewBox: `0 0 ${Math.max(12, column + 1) * size} ${7 * size}`, role: "img", "aria-label": name, part: "heatmap" }, cells),
      this.hasAttribute("table") && h("table", { class: "status", "aria-label": name }, h("tbody", {}, of.map((d) => h("tr", {}, h("th", { scope: "row" }, d[2]), h("td", {}, n(d[1]))))))];
  }
}
