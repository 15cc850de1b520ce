// <laurel-standing>: where a user is, in one line.
import { h } from "./core.js";

export const standing = {
  wants() {
    const { page } = this.answers;
    const path = `${this.path(this.attr("window", "day"))}/${this.me}`;
    return { ...this.wantsBoards, page: [this.address(path, { around: 1, with: "movement" })], ...(page && this.wantsOwn(page, page.standing)) };
  },

  show(page) {
    const { n } = this.say;
    const { rank, score, previousRank } = page.standing;
    return h("div", { p: "standing line" },
      rank && [
        h("b", { p: "rank" }, "#", n(rank)), h("span", { p: "score" }, n(score), " ", this.unit),
        previousRank && this.movement(previousRank, rank, page.window)],
      h("span", { p: "gap" }, this.chase(page, page.standing, page.entries.find((e) => e.rank === rank - 1))));
  },
};
