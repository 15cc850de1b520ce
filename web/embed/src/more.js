// The rest of the module, loaded when an element needs it: all elements but the board, and what a board says of
// its visitor. It imports nothing of the first part, which hands over what it works with.
import style from "../more.css";
import words from "../more.json";
import { use } from "./core.js";
import { findable } from "./find.js";
import { heatmap } from "./heatmap.js";
import { hide } from "./hide.js";
import { hot } from "./hot.js";
import { own } from "./own.js";
import { standing } from "./standing.js";
import { winners } from "./winners.js";

document.addEventListener("laurel-receipts", ({ detail }) => {
  for (const board of document.querySelectorAll("laurel-board")) detail.receipts.forEach((r) => board.earned(r));
});

export default (core) => {
  use(core);
  core.addStyle(style);
  core.messages.en = { ...words, ...core.messages.en };
  Object.assign(core.Element.prototype, own);
  findable(customElements.get("laurel-board").prototype);
  for (const [name, methods] of Object.entries({ heatmap, hide, hot, standing, winners })) {
    Object.assign(customElements.get(`laurel-${name}`).prototype, methods);
  }
};
