// The board alone: a test measures what it takes.
import { Board } from "./board.js";
import { define } from "./element.js";

define("board", Board);
