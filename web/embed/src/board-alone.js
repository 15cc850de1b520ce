// The board alone: a test measures its size.
import { Board } from "./board.js";
import { define } from "./element.js";

define("board", Board);
