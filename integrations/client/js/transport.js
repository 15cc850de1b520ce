// How requests are sent: tokens, tries and problems.

// How long before it expires a token is not used any more: longer than a request is on its way.
const early = 30_000;

// The waits before the second and any later try, where the answer does not say more: twice as long each time.
const firstWait = 200;
const lastWait = 5_000;

// Statuses after which the same request may be answered otherwise a little later.
const mayPass = [429, 502, 503, 504];

/**
 * The answer to a request that was refused (RFC 9457). Its code does not change; an answer of API Gateway or a proxy has
 * none. Its instance is the request's id, its message for a log: without values, which may be private.
 */
export class Problem extends Error {
  constructor(status, body, { instance, retryAfter } = {}) {
    const detail = body.detail ?? body.message ?? "";
    const wrong = (body.errors ?? []).map((v) => `${v.location}: ${v.message}`).join("; ");
    super(`${status} ${body.code ?? ""}: ${detail}${wrong && ` (${wrong})`}${instance ? `, request ${instance}` : ""}`);
    this.name = "Problem";
    this.status = status;
    this.code = body.code ?? "";
    this.type = body.type ?? "";
    this.title = body.title ?? "";
    this.detail = detail;
    this.errors = body.errors ?? [];
    this.instance = instance ?? "";
    this.retryAfter = retryAfter ?? 0;
  }

  // Whether it may be that of an expired token: 401 of Laurel, or 403 of API Gateway, which has no code. A 403 with a
  // code is for good: the token may not do this.
  get refusesToken() {
    return this.status === 401 || (this.status === 403 && !this.code);
  }
}

// An error that stays when a request is sent again: an answer that is no JSON, or a path that is none.
class Unsent extends Error {}

/** Sends requests to one Laurel. */
export class Transport {
  #address;
  #tokens;
  #tries;
  #maxWait;
  #timeout;
  #fetch;

  constructor(address, token, { tries = 4, maxWait = 60_000, timeout = 30_000, fetch } = {}) {
    this.#address = address.replace(/\/+$/, "");
    this.#tokens = token && new Tokens(token);
    this.#tries = tries;
    this.#maxWait = maxWait;
    this.#timeout = timeout;
    this.#fetch = fetch ?? ((...request) => globalThis.fetch(...request)); // a browser's must be called on its window
  }

  /**
   * Sends a request until it is answered. Each may be sent again: its body says when and under which id it is meant,
   * wherever that matters.
   */
  async do(method, path, { body, signal, open } = {}) {
    const sent = body && JSON.stringify(body);
    let refused;
    for (let tries = 1; ; ) {
      signal?.throwIfAborted();
      const token = open ? undefined : await abortable(this.#tokens?.get(refused), signal);
      try {
        return await this.#send(method, path, sent, token, signal);
      } catch (error) {
        signal?.throwIfAborted();
        if (refused === undefined && token && error.refusesToken) {
          refused = token;
          continue; // with another token; nothing was applied
        }
        if (tries >= this.#tries || !this.#again(error)) throw error;
        await sleep((error.retryAfter ?? 0) + backoff(tries), signal);
        tries++;
      }
    }
  }

  // Whether the same request may be answered otherwise after the wait that the error asks for.
  #again(error) {
    if (!(error instanceof Problem)) return !(error instanceof Unsent);
    return mayPass.includes(error.status) && error.retryAfter <= this.#maxWait;
  }

  // Sends a request once, within the time of a try.
  async #send(method, path, body, token, signal) {
    // A next from elsewhere must not lead the token elsewhere.
    if (!path.startsWith("/")) throw new Unsent(`${path} is not a path`);
    const headers = {};
    if (body) headers["Content-Type"] = "application/json";
    if (token) headers.Authorization = `Bearer ${token}`;
    const ended = new AbortController();
    const timer = setTimeout(() => ended.abort(new Error(`no answer within ${this.#timeout} ms`)), this.#timeout);
    const abort = () => ended.abort(signal.reason);
    signal?.addEventListener("abort", abort, { once: true });
    try {
      const answer = await this.#fetch(this.#address + path, { method, headers, body, signal: ended.signal });
      const text = await answer.text();
      if (!answer.ok) throw problem(answer, text);
      return answer.status === 204 ? undefined : JSON.parse(text);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    }
  }
}

// The token of a source.
class Tokens {
  #source;
  #current;
  #asked; // while the source is asked: for all that wait for it

  constructor(source) {
    this.#source = source;
  }

  // Returns a token other than one that was refused and not about to expire.
  async get(refused) {
    if (this.#current && this.#current !== refused && expiry(this.#current) - Date.now() > early) return this.#current;
    this.#asked ??= this.#ask().finally(() => {
      this.#asked = undefined;
    });
    return this.#asked;
  }

  async #ask() {
    this.#current = await this.#source();
    if (!this.#current) throw new Error("the token's source returned none");
    return this.#current;
  }
}

// Returns the claim exp of a JSON Web Token in milliseconds, unverified as it only says when to ask for another one;
// Infinity if there is none.
function expiry(token) {
  try {
    const claims = JSON.parse(atob(token.split(".")[1].replace(/-/g, "+").replace(/_/g, "/")));
    return claims.exp > 0 ? claims.exp * 1000 : Infinity;
  } catch {
    return Infinity;
  }
}

// Returns the problem in an answer; a proxy's may be HTML, and its status alone says enough.
function problem(answer, text) {
  let body = {};
  try {
    body = JSON.parse(text) ?? {};
  } catch {
    // it is no JSON
  }
  if (!answer.headers.get("Content-Type")?.startsWith("application/problem+json")) {
    body = { detail: body.message ?? answer.statusText };
  }
  const instance = body.instance ?? answer.headers.get("X-Request-Id") ?? answer.headers.get("Apigw-Requestid");
  return new Problem(answer.status, body, { instance, retryAfter: retryAfter(answer.headers.get("Retry-After")) });
}

// Returns the milliseconds of a header Retry-After: seconds, or a moment, which proxies send. It is 0 for none.
function retryAfter(text) {
  if (!text) return 0;
  const milliseconds = /^\d+$/.test(text) ? text * 1000 : Date.parse(text) - Date.now();
  return Math.max(milliseconds || 0, 0);
}

// Returns a wait with jitter, from half of it on, so that clients that failed together do not come together again.
function backoff(tries) {
  return Math.min(firstWait * 2 ** (tries - 1), lastWait) * (0.5 + Math.random() / 2);
}

/** Returns the value of a promise, or throws the signal's reason if that ends before it. */
export async function abortable(promise, signal) {
  if (!signal) return promise;
  let abort;
  const aborted = new Promise((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
  });
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener("abort", abort));
}

// Waits, or throws the signal's reason if that ends first.
async function sleep(milliseconds, signal) {
  let timer;
  const over = new Promise((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await abortable(over, signal).finally(() => clearTimeout(timer));
}
