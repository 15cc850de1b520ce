// Reads of the API, shared: elements with the same address and the same token have one request and one answer, of
// which each takes as much as it wants, and tabs of the same browser share public answers. Nothing is read
// for elements that nobody sees.

/** pace is how often a page reads again, however many elements are on it: a board alone needs none. */
export const pace = { pause: () => 0, signed() {} };

const reads = new Map();
const signers = new Map(); // private reads by their signer: a token, a function or an address
const channel = new BroadcastChannel("laurel");
channel.onmessage = ({ data: [url, answer, holds] }) => {
  const read = reads.get(url);
  if (read?.wish <= holds) read.take(answer, null, holds);
};

/** passing says whether an error is over by itself. */
export const passing = (error) => error && (error.status < 400 || error.status > 428);

class Read {
  users = new Map(); // how often each wants it, in ms, and how much of its list
  at = 0; // the last try
  tries = 0;
  failures = 0;
  holds = 0; // of the list

  constructor(url, bearer, by = "limit") {
    this.address = url;
    this.bearer = bearer; // for private reads
    this.by = by; // the parameter that says how much
  }

  /** wish is the length of the list that elements want. */
  get wish() {
    return Math.max(0, ...[...this.users.values()].map(([, length]) => length));
  }

  /** every is the shortest interval that an element wants. */
  get every() {
    return Math.min(...[...this.users.values()].map(([every]) => every));
  }

  /** want says how often a user wants it, and how much. */
  want(user, every, length = 0) {
    const before = this.users.get(user);
    if (before?.[0] === every && before[1] === length) return;
    this.users.set(user, [every, length]);
    if (this.answer && length <= this.holds && before?.[1] !== length) user.changed(this);
    if ((this.answer || this.busy) && length > (this.busy ? this.begun : this.holds)) this.load();
    else this.plan();
  }

  drop(user) {
    this.users.delete(user);
    this.plan();
  }

  /** part returns as much of the answer as a user wants. */
  part(user) {
    const { answer, users } = this;
    const length = users.get(user)?.[1];
    const name = length && ["periods", "entries", "days"].find((name) => answer?.[name]?.length > length);
    return name ? { ...answer, [name]: answer[name].slice(0, length), next: true } : answer;
  }

  /** plan sets the time of the next try. */
  plan() {
    clearTimeout(this.timer);
    if (!this.users.size || this.busy) return;
    const { answer, failures, at, ahead, error } = this;
    let wait = answer ? this.every : 0;
    let free = !answer || failures || wait < 6e4; // of the page's pace
    // A failure by a restart is soon over; a mistake of a page or a forum is not.
    if (failures) wait = Math.max(error.after, Math.min(192e4, (passing(error) ? 2500 : 3e4) * 2 ** failures));
    wait *= 1 + Math.random() / 10;
    const left = Date.parse(answer?.endsAt) - at - ahead + 1e3 + Math.random() * 4e3;
    if (left > 0 && left < wait && !failures) { // today turns over
      wait = left;
      free = true;
    }
    wait += at - Date.now();
    if (wait < 2e9) this.timer = setTimeout(() => this.due(free), Math.max(0, wait)); // more is taken modulo 2 ** 32
  }

  /** due loads, once the page's pace lets it. */
  due(free) {
    const rest = !free && pace.pause();
    if (rest) this.timer = setTimeout(() => this.due(), rest);
    else this.load();
  }

  /** load reads at once; earlier requests count for nothing then. */
  async load() {
    const { address: url, bearer, by } = this;
    const turn = ++this.tries;
    const length = (this.begun = this.wish);
    clearTimeout(this.timer);
    this.busy = true;
    let answer, error;
    try {
      // An answer in a browser's cache has the time of then, and is all that an answer 304 brings. A private one is not
      // kept, and would let a change of it wait.
      answer = await walk(url, by, length, bearer, bearer ? "no-store" : this.at ? "default" : "reload");
    } catch (e) {
      error = e;
    }
    if (turn !== this.tries) return;
    const holds = error ? this.holds : answer.next || by !== "limit" ? length : Infinity;
    if (bearer && answer) pace.signed();
    this.take(answer ?? this.answer, error, holds);
    if (!bearer && answer) channel.postMessage([url, answer, holds]);
  }

  take(answer, error, holds = this.holds) {
    const back = passing(this.error) && !error;
    this.tries++;
    this.at = Date.now();
    this.answer = answer;
    this.holds = holds;
    // How far Laurel's clock is ahead of this one: an answer may be older than it seems, not younger.
    const ahead = Date.parse(answer?.asOf) - this.at;
    if (!error && !(ahead < this.ahead)) this.ahead = ahead;
    this.error = error;
    this.failures = error ? this.failures + 1 : 0;
    this.busy = false;
    for (const user of [...this.users.keys()]) user.changed(this);
    this.plan();
    if (back) retry(); // as Laurel is there again
  }
}

/** retry repeats at once the reads that failed. */
export const retry = () => {
  for (const some of [reads, ...signers.values()]) {
    for (const read of some.values()) if (read.users.size && !read.busy && passing(read.error)) read.load();
  }
};

/** walk reads an answer, and the pages after it until there are as many entries as the elements want. */
const walk = async (url, by, length, bearer, cache) => {
  const most = /winners(\?|$)/.test(url) ? 31 : 100;
  const all = length ? `${url}${url.includes("?") ? "&" : "?"}${by}=${Math.min(length, most)}` : url;
  const answer = await ask(all, bearer, "GET", null, cache);
  const list = (of) => of.periods ?? of.entries;
  const entries = list(answer) ?? [];
  for (; answer.next && entries.length < length;) {
    const page = await ask(url.split("/v1/")[0] + answer.next, bearer, "GET", null, cache);
    const known = new Set(entries.map((e) => e.user?.id));
    entries.push(...list(page).filter(({ user }) => !user?.id || !known.has(user.id)));
    answer.next = page.next;
  }
  return answer;
};

/** readOf returns the read of an address; a private one is shared by elements with the same signer. */
export const readOf = (url, bearer, signer, by) => {
  if (bearer && !signers.has(signer)) signers.set(signer, new Map());
  const among = bearer ? signers.get(signer) : reads;
  if (!among.has(url)) among.set(url, new Read(url, bearer, by));
  return among.get(url);
};

/**
 * ask sends a request and returns its answer. A token that is rejected is asked for once more;
 * before is the rejected one. Its error has the status, 0 when nothing was answered, the problem,
 * and after how many ms to try again.
 */
export const ask = async (url, bearer, method, body, cache, before) => {
  const fail = (status, problem, after = 0) => ({ status, problem, after });
  const headers = {};
  let answer, said;
  try {
    if (bearer) {
      const token = await bearer(before);
      if (!token || token === before) throw fail(401);
      headers.Authorization = `Bearer ${token}`;
      before = !before && token;
    }
    if (body) headers["Content-Type"] = "application/json";
    answer = await fetch(url, { method, headers, cache, body: body && JSON.stringify(body), keepalive: !!body, credentials: "omit" });
    if (answer.ok) return await answer.json();
    said = await answer.json().catch(() => null);
    const refused = answer.status === 401 || (answer.status === 403 && !said?.code); // API Gateway's has no code
    if (refused && before) return await ask(url, bearer, method, body, cache, before);
  } catch (error) {
    throw error.status ? error : fail(0);
  }
  throw fail(answer.status, said, 1e3 * answer.headers.get("Retry-After") || 0);
};
