// A link to a view: the page's address has the board, window, period and rows that the reader sees, as
// ?laurel=activity.month.2026-10.2, so that it can be shared, kept over a reload, and left by the back button.

const boards = new Set();
addEventListener("popstate", () => {
  for (const board of boards) {
    if (!board.isConnected || !board.given("link") || !board._view) continue;
    if (!apply(board, linked(board) ?? board._home)) apply(board, board._home);
    board._view = viewOf(board);
    board.tell("change", { window: board.current, period: board.attr("period") });
    board.update();
  }
});

const nameOf = (board) => board.getAttribute("link") || board.id || "laurel";

/** keyOf returns a board's name in the address. Boards of the same name are numbered from the second one on. */
const keyOf = (board) => {
  const all = [...board.getRootNode().querySelectorAll("laurel-board[link]")].filter((b) => nameOf(b) === nameOf(board));
  return nameOf(board) + (all.indexOf(board) > 0 ? all.indexOf(board) + 1 : "");
};

const linked = (board) => new URLSearchParams(location.search).get(keyOf(board));

/** viewOf returns the view of an address. */
const viewOf = (board) => {
  const first = Math.floor(board.offset / board.perPage) + 1;
  const last = first + Math.floor(board.further / board.perPage);
  const pages = last > first ? `${first}-${last}` : last > 1 ? last : "";
  return [board.boardName, board.current, board.attr("period"), pages].join(".").replace(/\.+$/, "");
};

const most = 1000; // rows of a link

/** apply shows a view that there may be; it says whether there may. */
const apply = (board, view) => {
  const [, name, window, period = "", first = 1, last = first] =
    /^([a-z][\w-]*)\.(\w+)(?:\.((?:[\w-]|\.\.){0,21})(?:\.([1-9]\d{0,5})(?:-([1-9]\d{0,5}))?)?)?$/.exec(view) ?? [];
  const listed = board.answers.boards?.boards.find((b) => b.board === name);
  const tabs = name === board.boardName && board.tabs[0] ? board.tabs : listed?.windows;
  if (!name || (view !== board._home && !(listed && tabs?.includes(window)))) return;
  const { perPage } = board;
  board.offset = (first - 1) * perPage;
  board.further = Math.max(0, Math.min((last - first) * perPage, most - perPage));
  if (name !== board.boardName) board.setAttribute("board", name);
  if (window !== board.current) board.setAttribute("window", window);
  if (period !== board.attr("period")) board.setAttribute("period", period);
  return true;
};

/** write says a view in the page's address, where the page has one of its own. */
const write = (board, view, how) => {
  const key = encodeURIComponent(keyOf(board));
  const url = new URL(location);
  // The remaining parameters stay as they are written: forums have addresses like ?123-title.
  const rest = url.search.slice(1).split("&").filter((p) => p && p.split("=")[0] !== key);
  if (view !== board._home) rest.push(`${key}=${view}`);
  url.search = rest.join("&");
  try {
    if (url.href !== location.href) history[how](history.state, "", url);
  } catch {} // a frame without an origin, or too many in a short time
};

/** keep keeps a board and the page's address the same. It returns the pages that have to be read before. */
const keep = (board) => {
  if (!board.given("link") || board.data) return;
  boards.add(board);
  const { answers, errors } = board;
  if (!board._view) {
    const view = linked(board);
    const listed = answers.boards || errors.boards;
    if (!board.current || (view && !listed)) return listed ? null : board.wantsBoards;
    board._home = viewOf(board);
    if (view) apply(board, view);
    board._view = viewOf(board);
    return;
  }
  if (/404|422/.test(errors.page?.status) && board._view !== board._home) {
    apply(board, board._home); // a view that there is not
    delete errors.page;
    board._view = viewOf(board);
    write(board, board._view, "replaceState");
    return;
  }
  const view = viewOf(board);
  if (view === board._view) return;
  const more = view.split(".")[3]?.split("-")[1]; // rows below, which need no place of their own to go back to
  board._view = view;
  write(board, view, more ? "replaceState" : "pushState");
};

/** linkable lets boards have an address. */
export const linkable = (board) => {
  const { wants } = board;
  board.wants = function () {
    return keep(this) || wants.call(this);
  };
};
