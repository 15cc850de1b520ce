// <laurel-standing>: where a user is, in one line.
import { Element } from "./element.js";
import { h } from "./tree.js";

export class Standing extends Element {
  wants() {
    const path = `boards/${this.attr("board", "activity")}/${this.attr("window", "day")}/${this.me}`;
    return { ...this.wantsBoards, page: [this.address(path, { around: "0" })] };
  }

  show({ standing }) {
    const { n } = this.say;
    const { rank, score, previousRank } = standing;
    return h("div", { p: "standing line" },
      rank && [
        h("b", { p: "rank" }, "#", n(rank)), h("span", { p: "score" }, n(score), " ", this.unit),
        previousRank && this.movement(previousRank, rank)],
      h("span", { p: "gap" }, this.gap(standing)));
  }
}
