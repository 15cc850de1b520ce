// Reads of the API, shared: elements with the same address have one request and one answer, and
// tabs of the same browser tell each other. Nothing is read for elements that nobody sees.

const reads = new Map();
const channel = new BroadcastChannel("laurel");
channel.onmessage = ({ data: [url, answer] }) => reads.get(url)?.take(answer);

class Read {
  users = new Map(); // how often each wants it, in ms
  at = 0; // the last try
  tries = 0;
  failures = 0;

  constructor(url, bearer) {
    this.url = url;
    this.bearer = bearer; // of what is private
  }

  add(user, every) {
    this.users.set(user, every);
    if (this.answer) user.changed(this);
    this.plan();
  }

  drop(user) {
    this.users.delete(user);
    this.plan();
  }

  /** plan sets the time of the next try. */
  plan() {
    clearTimeout(this.timer);
    if (!this.users.size || this.busy) return;
    const { answer, failures, at, ahead } = this;
    let wait = answer ? Math.min(...this.users.values()) : 0;
    if (failures) wait = Math.max(this.error.after, Math.min(32 * 60e3, 3e4 * 2 ** failures));
    wait *= 1 + Math.random() / 10;
    const left = Date.parse(answer?.endsAt) - at - ahead;
    if (left > 0 && !failures) wait = Math.min(wait, left + 1e3 + Math.random() * 4e3); // today turns over
    wait += at - Date.now();
    if (wait < 2 ** 31) this.timer = setTimeout(() => this.load(), wait);
  }

  /** load reads at once; what was asked before counts for nothing then. */
  async load() {
    const { url, bearer } = this;
    const turn = ++this.tries;
    this.busy = true;
    let answer, error;
    try {
      // What a browser has kept has the time of then, and is all that an answer 304 brings. What is private is not
      // kept, and would let a change of it wait.
      answer = await walk(url, bearer, bearer ? "no-store" : this.at ? "default" : "reload");
    } catch (e) {
      error = e;
    }
    if (turn !== this.tries) return;
    this.take(answer ?? this.answer, error);
    if (!bearer && answer) channel.postMessage([url, answer]);
  }

  take(answer, error) {
    this.tries++;
    this.at = Date.now();
    this.answer = answer;
    // How far Laurel's clock is ahead of this one: an answer may be older than it seems, not younger.
    const ahead = Date.parse(answer?.asOf) - this.at;
    if (!error && !(ahead < this.ahead)) this.ahead = ahead;
    this.error = error;
    this.failures = error ? this.failures + 1 : 0;
    this.busy = false;
    for (const user of [...this.users.keys()]) user.changed(this);
    this.plan();
  }
}

/** walk reads an answer, and the pages after it until there are as many entries as after # in the address. */
const walk = async (url, bearer, cache) => {
  const answer = await ask(url, bearer, "GET", null, cache);
  const length = url.split("#")[1];
  const list = (of) => of.periods ?? of.entries;
  const all = list(answer) ?? [];
  for (; answer.next && all.length < length;) {
    const page = await ask(url.split("/v1/")[0] + answer.next, bearer, "GET", null, cache);
    const known = new Set(all.map((e) => e.user?.id));
    all.push(...list(page).filter(({ user }) => !user?.id || !known.has(user.id)));
    answer.next = page.next;
  }
  if (all.length > length) all.length = length;
  return answer;
};

/** readOf returns the read of an address; what is private is an element's own. */
export const readOf = (url, bearer, own) => {
  const among = bearer ? own : reads;
  if (!among.has(url)) among.set(url, new Read(url, bearer));
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

const tokens = {};

/** tokenFrom returns the token that a forum signs at an address, and keeps it until it is rejected. */
export const tokenFrom = async (url, before) => {
  let token;
  try {
    return (token = await (tokens[url] = (!before && tokens[url]) || fetch(url).then(async (answer) => // with the forum's cookies
      answer.ok && (await answer.text()).match(/[\w-]+\.[\w-]+\.[\w-]+/)?.[0])));
  } finally {
    token || delete tokens[url];
  }
};
