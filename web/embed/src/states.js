// The texts of an element in place of a view that it cannot show.
import { Element, elements, h, retry } from "./core.js";

/** stateOf returns the word for an error. */
export const stateOf = ({ status, problem }) => {
  const code = problem?.code;
  if (status === 401 || (status === 403 && !code)) return "login"; // API Gateway's has no code
  return { filling: "filling", unknown_board: "unknown", days_private: "secret" }[code] ??
    (status > 399 && status < 429 ? "failed" : "busy");
};

const passing = /busy|filling/; // by themselves

/** states are methods of all elements. */
export const states = {
  stateOf(error) {
    const state = stateOf(error);
    if (state === "unknown") Element.prototype.wants.call({ _part: "extra" }); // which may find it for members
    return state;
  },

  /** trouble shows a state, and lets a reader try again if it passes by itself: once on a page, with any elements. */
  trouble(state) {
    const { t } = this.say;
    const first = [...elements].find((e) => e.seen && passing.test(e.state));
    if (passing.test(state) && first && first !== this) return "";
    return h("p", { p: "error" }, t(state),
      passing.test(state) && [" ", h("button", { type: "button", p: "window again", onclick: retry }, t("again"))]);
  },
};
