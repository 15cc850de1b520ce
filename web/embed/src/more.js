// The rest of the module, loaded when an element needs it: all elements but the board, and what a board says of
// its visitor. It imports nothing of the first part, which hands over what it works with.
import style from "../more.css";
import words from "../more.json";
import { heatmap } from "./heatmap.js";
import { hide } from "./hide.js";
import { hot } from "./hot.js";
import { own } from "./own.js";
import { standing } from "./standing.js";
import { winners } from "./winners.js";

/** give adds methods and getters to a prototype. */
const give = (prototype, methods) => Object.defineProperties(prototype, Object.getOwnPropertyDescriptors(methods));

export default (core) => {
  core.addStyle(style);
  core.messages.en = { ...words, ...core.messages.en };
  give(core.Element.prototype, own(core));
  for (const [name, methods] of Object.entries({ heatmap, hide, hot, standing, winners })) {
    give(customElements.get(`laurel-${name}`).prototype, methods(core));
  }
};
