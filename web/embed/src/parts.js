// Files that are loaded when an element needs them: the words of a language, and all but the board.

/** parts are the names of files by their contents. */
export const parts = PARTS;

/** elements are those of the page. */
export const elements = new Set();

export const updateAll = () => elements.forEach((e) => e.update());

const loaded = { __proto__: null }; // a page may have put names into Object.prototype

const pauses = {};

/**
 * load loads a part once, hands it to take and then updates the page's elements. It says whether it is under way;
 * one that cannot be loaded is tried again after 5 seconds, and then after longer.
 */
export const load = (name, take) => {
  loaded[name] ??= import(parts[name]).then(
    (part) => take(part.default), () => setTimeout(() => updateAll(delete loaded[name]), (pauses[name] = Math.min(2 * (pauses[name] ?? 2500), 6e5))),
  ).finally(() => {
    loaded[name] = 1;
    updateAll();
  });
  return loaded[name] !== 1;
};
