// The rest of the module, loaded when an element needs it: all elements but the board, and the texts of a board about
// its visitor. It imports nothing of the first part, which hands over the names that it needs.
import style from "../more.css";
import words from "../more.json";
import { elements, use } from "./core.js";
import { findable } from "./find.js";
import { heatmap } from "./heatmap.js";
import { hide } from "./hide.js";
import { hot } from "./hot.js";
import { own } from "./own.js";
import { pause, signed } from "./pace.js";
import { report } from "./report.js";
import { standing } from "./standing.js";
import { states } from "./states.js";
import { winners } from "./winners.js";

document.addEventListener("laurel-receipts", ({ detail }) => {
  for (const e of elements) detail.receipts.forEach((r) => e.earned(r));
  // Private reads show it, too.
  for (const read of new Set([...elements].flatMap((e) => Object.values(e.reads)))) if (read.bearer && read.every < Infinity) read.load();
});

export default (core) => {
  use(core);
  core.report = report;
  for (const given of core.waiting.splice(0)) report(...given);
  core.waiting = null;
  core.addStyle(style);
  core.messages.en = { ...words, ...core.messages.en };
  Object.assign(core.pace, { pause, signed });
  Object.assign(core.Element.prototype, states);
  Object.defineProperties(core.Element.prototype, Object.getOwnPropertyDescriptors(own)); // which has a getter
  findable(customElements.get("laurel-board").prototype);
  for (const [name, methods] of Object.entries({ heatmap, hide, hot, standing, winners })) {
    Object.assign(customElements.get(`laurel-${name}`).prototype, methods);
  }
};
