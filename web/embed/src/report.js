// report() sends the visitor's activities, in batches.
import { ask, base } from "./core.js";
import { bearerOf } from "./token.js";

let waiting = [];
let settings = {};
let timer;
let tries = 0;
let last = -Infinity;

const later = (ms) => (timer ??= setTimeout(send, ms));

/**
 * report sends activities of the visitor at once, but those of the next 2 seconds together. The token is
 * settings.token, a string or a function, or comes from settings.tokenUrl or else from the first
 * element on the page with a token-url. The result is the event laurel-receipts on document.
 */
export const report = (activities, more) => {
  waiting.push(...[activities].flat());
  settings = { ...settings, ...more };
  later(Math.max(0, last + 2e3 - performance.now()));
};

const send = async () => {
  clearTimeout(timer);
  timer = null;
  const activities = waiting.splice(0, 100);
  if (!activities[0]) return;
  last = performance.now();
  const tell = (name, detail) => document.dispatchEvent(new CustomEvent(`laurel-${name}`, { detail: { activities, ...detail } }));
  const { src, token, tokenUrl } = settings;
  const bearer = bearerOf(token, tokenUrl ?? document.querySelector("[token-url]")?.getAttribute("token-url"));
  try {
    const answer = await ask(new URL("v1/activities", base(src)), bearer, "POST", { activities });
    tries = 0;
    tell("receipts", answer);
  } catch (error) {
    if ([0, 429, 503].includes(error.status) && tries++ < 8) {
      waiting.unshift(...activities); // sent twice counts once
      return later(Math.max(error.after, 2e3 * 2 ** tries));
    }
    tell("error", error);
  }
  if (waiting[0]) later(2e3);
};

document.addEventListener("visibilitychange", () => document.hidden && send());
addEventListener("pagehide", send);
