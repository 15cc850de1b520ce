// Whose visitor's token signs private reads.

const tokens = {};

/** tokenFrom returns the token that a forum signs at an address, and keeps it until it is rejected. */
const tokenFrom = async (url, before) => {
  let token;
  try {
    return (token = await (tokens[url] = (!before && tokens[url]) || fetch(url).then(async (answer) => // with the forum's cookies
      answer.ok && (await answer.text()).match(/[\w-]+\.[\w-]+\.[\w-]+/)?.[0])));
  } finally {
    token || delete tokens[url];
  }
};

/** bearerOf returns the source of a visitor's token: one, a function, or the address that signs it. */
export const bearerOf = (token, url) =>
  (token || url) && (async (before) => (token?.call ? token() : (token ?? tokenFrom(new URL(url, document.baseURI).href, before))));
