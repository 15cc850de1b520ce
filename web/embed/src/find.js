// "Find me": one press goes to the member's row, on the page that has it; another one back to the top.
import { h } from "./core.js";
import { button, extend, partsOf } from "./features.js";

const inView = new IntersectionObserver((all) => {
  for (const { target, isIntersecting } of all) {
    const board = target.getRootNode().host;
    if (board?._row !== target) continue;
    board._hidden = !isIntersecting;
    board.update();
  }
});

const isMine = (board) => (e) => board.mine(e);

/** go shows the rows from one on, and then focuses the match of a selector. */
const go = (board, offset, selector) => {
  board._goal = [selector, board.answers.page, offset !== board.offset];
  if (offset !== board.offset) board.further = 0;
  board.offset = offset;
  board.update();
};

/** arrive focuses the row that the reader goes to, and watches whether the member's is in view. */
const arrive = (board, page) => {
  const root = board.shadowRoot;
  const [selector, from, elsewhere] = board._goal ?? [];
  if (selector && !(elsewhere && page === from)) {
    const row = root.querySelector(selector);
    board._goal = null;
    if (row) {
      row.tabIndex = -1;
      row.focus({ preventScroll: true });
      row.scrollIntoView({ block: "center" });
    }
  }
  const row = root.querySelector(".mine");
  if (row === board._row) return;
  if (board._row) inView.unobserve(board._row);
  board._row = row;
  board._hidden = false;
  if (row) inView.observe(row);
};

/** add puts buttons into the footer: into its toolbar, which is one stop of Tab, or one of their own. */
const add = (board, tree, buttons) => {
  const [tools] = partsOf(tree, "tools");
  if (tools) for (const one of buttons) tools.c.push({ ...one, a: { ...one.a, tabindex: -1 } });
  else if (buttons[0]) {
    partsOf(tree, "footer")[0]?.c.splice(-1, 0, h("div", { p: "tools line", role: "group", "aria-label": board.say.t("find") }, buttons));
  }
};

const find = {
  wants(board, all, page) {
    if (!all.page) return;
    if (page?.total && !page.entries[0]) board.offset = 0; // the page is no more
    if (!board.offset) return;
    const url = new URL(all.page[0]);
    url.searchParams.set("offset", board.offset);
    all.page[0] = url.href;
    if (page?.entries[0]?.rank > 1 && board.viewer && board.mine(page.entries[0]) && !board.given("friends")) {
      const period = board.attr("period") && page.period;
      all.own = [board.address(`${board.path(board.current)}/${board.me}`, { around: 1, with: "movement", period })];
    }
  },

  show(board, tree, page) {
    const { perPage, offset, data } = board;
    const here = page.entries.some(isMine(board));
    const rank = board.viewer && board.place(page)[0]?.rank;
    const there = here ? offset : Math.floor((rank - 1) / perPage) * perPage;
    add(board, tree, [
      rank && (here ? board._hidden : !data) && button(board, "find", () => go(board, there, ".mine")),
      offset > 0 && button(board, "top", () => go(board, 0, ".place, .row"))].filter(Boolean));
    queueMicrotask(() => arrive(board, page));
  },
};

/** findable lets boards show later pages, and the member's row there. */
export const findable = (board) => {
  const { place, turn } = board;
  extend(Object.assign(board, {
    turn(window, period) {
      this.offset = 0;
      turn.call(this, window, period);
    },

    // The first row of a later page has nobody above it: its neighbours are read.
    place(page) {
      const { own } = this.answers;
      const found = place.call(this, page);
      if (found[0] || own?.period !== page.period || own.window !== page.window) return found;
      return [own.standing, own.entries[own.entries.findIndex(isMine(this)) - 1]];
    },
  }), find);
};
