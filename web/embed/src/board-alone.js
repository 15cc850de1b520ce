// The board alone: a test measures what it takes.
import { Board } from "./board.js";

customElements.define("laurel-board", Board);
