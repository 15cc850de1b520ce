// The module of a forum's pages: elements for boards, and report(). No library, no cookies.
import { Board } from "./board.js";
import { later } from "./element.js";

export { report } from "./report.js";
export { messages } from "./words.js";

customElements.get("laurel-board") ?? customElements.define("laurel-board", Board);
later("laurel-standing", 1.6);
later("laurel-heatmap", 12);
later("laurel-hot", 3.7, 10);
later("laurel-hide", 1.6);
later("laurel-winners", 6, 12);
