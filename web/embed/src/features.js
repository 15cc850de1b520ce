// Features of a board: each reads a little more, and adds to the parts that the board shows.
import { h } from "./core.js";

/** partsOf returns the nodes of a description that are a part. */
export const partsOf = (nodes, part) => nodes.flat(9).flatMap((node) =>
  node?.t ? [...(node.a.class?.split(" ").includes(part) ? [node] : []), ...partsOf(node.c, part)] : []);

/** button describes one with a word. */
export const button = ({ say: { t } }, word, onclick, attributes) =>
  h("button", { type: "button", p: `window ${word}`, onclick, ...attributes }, t(word));

/** extend lets boards have features. */
export const extend = (board, ...features) => {
  const { show, wants } = board;
  Object.assign(board, {
    wants() {
      const all = wants.call(this);
      for (const feature of features) feature.wants?.(this, all, this.answers.page);
      return all;
    },

    show(page) {
      const tree = show.call(this, page);
      if (tree) for (const feature of features) feature.show(this, tree, page);
      return tree;
    },
  });
};
