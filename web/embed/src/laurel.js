// The module of a forum's pages: elements for boards, and report(). No library, no cookies.
import { Board } from "./board.js";
import { Heatmap } from "./heatmap.js";
import { Hide } from "./hide.js";
import { Hot } from "./hot.js";
import { Standing } from "./standing.js";

export { report } from "./report.js";
export { messages } from "./words.js";

for (const [name, of] of Object.entries({ board: Board, standing: Standing, heatmap: Heatmap, hot: Hot, hide: Hide })) {
  customElements.get(`laurel-${name}`) ?? customElements.define(`laurel-${name}`, of);
}
