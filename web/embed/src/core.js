// The names that the first part of the module hands over to the rest, which imports nothing of it.

export let Element, h, ask, base, elements, reloadAll, retry, web;

export const use = (core) => ({ Element, h, ask, base, elements, reloadAll, retry, web } = core);
