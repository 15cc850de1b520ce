// The module of a forum's pages: elements for boards, and report(). No library, no cookies.
import { Board } from "./board.js";
import { define, later } from "./element.js";

export { report } from "./element.js";
export { messages } from "./words.js";

define("board", Board);
later("standing", 1.6);
later("heatmap", 12);
later("history", 1.6, 10, "extra");
later("hot", 3.7, 10);
later("hide", 1.6);
later("winners", 8, 3);
