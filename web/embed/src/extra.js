// Rarely used parts: boards for members, links to views, the acts that give points, columns, bars, and the member's history. It is loaded beside
// more.js where an attribute or an element asks for it.
import style from "../extra.css";
import words from "../extra.json";
import { bars } from "./bars.js";
import { columns } from "./columns.js";
import { use } from "./core.js";
import { extend } from "./features.js";
import { history } from "./history.js";
import { linkable } from "./link.js";
import { forMembers } from "./members.js";
import { points } from "./points.js";

export default (core) => {
  use(core);
  core.addStyle(style);
  core.messages.en = { ...words, ...core.messages.en };
  const board = customElements.get("laurel-board").prototype;
  for (const name of ["board", "standing", "winners", "history", "heatmap"]) {
    forMembers(customElements.get(`laurel-${name}`).prototype);
  }
  extend(board, points, columns, bars);
  linkable(board);
  Object.assign(customElements.get("laurel-history").prototype, history);
};
