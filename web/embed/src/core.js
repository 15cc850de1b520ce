// What the first part of the module hands over to the rest, which imports nothing of it.

export let h, ask, base, bearerOf, readOf, reloadAll, web;

export const use = (core) => ({ h, ask, base, bearerOf, readOf, reloadAll, web } = core);
