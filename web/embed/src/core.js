// What the first part of the module hands over to the rest, which imports nothing of it.

export let h, ask, base, bearerOf, elements, reloadAll, stateOf, web;

export const use = (core) => ({ h, ask, base, bearerOf, elements, reloadAll, stateOf, web } = core);
