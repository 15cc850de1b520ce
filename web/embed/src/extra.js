// Rarely used parts: boards for members and of teams, links to views, the acts that give points, columns, bars, and the member's history. It is loaded beside
// more.js where an attribute or an element asks for it.
import style from "../extra.css";
import words from "../extra.json";
import { bars } from "./bars.js";
import { columns } from "./columns.js";
import { elements, use } from "./core.js";
import { extend } from "./features.js";
import { history } from "./history.js";
import { linkable } from "./link.js";
import { forMembers } from "./members.js";
import { points } from "./points.js";
import { named, ofTeams, teams } from "./teams.js";

export default (core) => {
  use(core);
  core.addStyle(style);
  core.messages.en = { ...words, ...core.messages.en };
  const board = customElements.get("laurel-board").prototype;
  for (const name of ["board", "standing", "winners", "history", "heatmap"]) {
    forMembers(customElements.get(`laurel-${name}`).prototype);
  }
  for (const name of ["board", "standing", "winners"]) ofTeams(customElements.get(`laurel-${name}`).prototype);
  for (const { answers } of elements) Object.values(answers).forEach(named);
  const { show } = board;
  board.show = function (page) {
    named(page);
    return show.call(this, page);
  };
  extend(board, points, columns, bars, teams);
  linkable(board);
  Object.assign(customElements.get("laurel-history").prototype, history);
};
