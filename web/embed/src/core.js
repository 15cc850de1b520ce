// What the first part of the module hands over to the rest, which imports nothing of it.

export let h, ask, readOf, reloadAll, web;

export const use = (core) => ({ h, ask, readOf, reloadAll, web } = core);
