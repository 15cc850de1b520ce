// The client on a laurel dev, whose address is in LAUREL_ADDRESS (go test ./integrations starts one), and on servers
// that refuse, are slow and lose answers.

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { Client, Problem, SignatureError, verify } from "./index.js";

const address = process.env.LAUREL_ADDRESS;
if (!address) throw new Error("LAUREL_ADDRESS has to be the address of a laurel dev");

// Returns a source of tokens that laurel dev signs: of a user, or of the service.
const source = (user) => async () => {
  const query = user ? `user=${user}` : "user=forum&scope=laurel/service";
  return (await (await fetch(`${address}/dev/token?${query}`)).text()).trim();
};

const service = () => new Client(address, source());

async function all(items) {
  const list = [];
  for await (const item of items) list.push(item);
  return list;
}

test("a member reports and reads", async () => {
  const member = new Client(address, source("js-ann"));
  const receipts = await member.report([
    { action: "like", target: "js-1" },
    { action: "like", target: "js-1" },
    { action: "comment", target: "js-1", ref: "c/7 ?" },
    { action: "steps", value: 8200 },
  ]);
  assert.deepEqual(receipts.map((r) => [r.status, r.points]), [
    ["counted", 2], ["duplicate", 0], ["counted", 3], ["counted", 8200],
  ]);
  const page = await member.standing("activity", "day", "js-ann", { around: 0 });
  assert.equal(page.standing.score, 5);
  assert.equal(page.entries.length, 1);
  const { standings } = await member.standings("js-ann");
  assert.ok(standings.some((p) => p.board === "steps" && p.window === "day" && p.score === 8200));
  const { days } = await member.activityDays("js-ann", { days: 2 });
  assert.equal(days.length, 2);
  assert.deepEqual(days[0].actions.like, { count: 1, points: 2 });
  const since = new Date(Date.now() - 3_600_000);
  const entries = await all(member.allEntries("js-ann", { board: "activity", since, limit: 1 }));
  assert.deepEqual(entries.map((e) => e.ref ?? e.action).sort(), ["c/7 ?", "like"]);
});

test("the service's reports and profiles go in parts, and a past board is walked", async () => {
  const client = service();
  const yesterday = new Date(Date.now() - 86_400_000);
  const profiles = Array.from({ length: 250 }, (_, i) => ({ id: `js-${i}`, name: `No. ${i}` }));
  assert.deepEqual(await client.putProfiles(profiles), profiles);
  const receipts = await client.report(Array.from({ length: 1100 }, (_, i) => ({
    user: `js-${i % 250}`, action: "like", target: `js-walk-${Math.floor(i / 250)}`, at: yesterday,
  })));
  assert.deepEqual(receipts.map((r) => r.scores.day), receipts.map((_, i) => 2 * (Math.floor(i / 250) + 1)));
  const period = yesterday.toISOString().slice(0, 10);
  const anybody = new Client(address);
  const entries = await all(anybody.boardEntries("activity", "day", { period, limit: 60 }));
  assert.deepEqual(entries.map((e) => e.rank), entries.map((_, i) => i + 1));
  assert.equal(new Set(entries.map((e) => e.user.name)).size, 250);
  const { question } = (await anybody.boards()).boards.find((b) => b.board === "activity");
  assert.deepEqual([question.counts.like, question.people], [{ points: 2, cap: 50 }, undefined]);
  const both = await anybody.boardWindows("activity", { windows: "day,month", limit: 3 });
  assert.deepEqual(both.windows.map((b) => b.window), ["day", "month"]);
  assert.equal(both.windows[1].entries.length, 3);
  assert.deepEqual(await anybody.wreaths("nobody"), { wreaths: [] });
  assert.equal((await anybody.winners("activity", "day", { top: 1 })).next, null);
  const periods = await all(anybody.allPeriods("activity", "day", { limit: 1 }));
  assert.equal(periods.find((p) => p.period === period).total, 250);
  const some = await anybody.board("activity", "day", { period, users: ["js-1", "js-nobody"], with: "movement" });
  assert.deepEqual(some.standings.map((s) => s.rank === null), [false, true]);
});

test("the last intent of the service's activities wins", async () => {
  const does = (action) => ({ user: "js-intent", target: "js-intent", action });
  const receipts = await service().report([does("like"), does("unlike"), does("like")]);
  assert.deepEqual(receipts.map((r) => r.status), ["counted", "revoked", "counted"]);
});

test("people", async () => {
  const [client, member] = [service(), new Client(address, source("js-eve"))];
  const profile = { id: "js-eve", name: "Eve", link: "https://forum.example/u/eve" };
  await client.putProfile({ ...profile, since: "2020-01-01T00:00:00Z" });
  assert.deepEqual(await client.profile("js-eve"), profile);
  await client.putProfile({ ...profile, groups: ["writers", "staff"] });
  assert.deepEqual(await client.privateProfile("js-eve"), { ...profile, since: "2020-01-01T00:00:00.000Z", groups: ["staff", "writers"] });
  assert.equal(await member.putFollowing("js-eve", ["js-f1", "js-f2"]), 2);
  const followed = await all(member.allFollowing("js-eve", { limit: 1 }));
  assert.deepEqual(followed.map((u) => u.id), ["js-f1", "js-f2"]);
  await client.report([{ user: "js-f2", action: "visit", target: "p" }]);
  const friends = await all(member.friendEntries("activity", "day", "js-eve", { limit: 1 }));
  assert.deepEqual(friends.map((f) => f.user.id), ["js-f2", "js-eve", "js-f1"]);
  await member.putVisibility("js-eve", { days: "public" });
  assert.deepEqual(await member.visibility("js-eve"), { boards: "shown", days: "public" });
  assert.ok((await client.erase("js-eve")).state);
  assert.ok((await client.erasure("js-eve")).state);
  await assert.rejects(client.profile("js-eve"), { name: "Problem", code: "no_profile", status: 404 });
});

test("awards, void pairs and the record", async () => {
  const client = service(), member = new Client(address, source("js-won"));
  const given = await client.award("js-won", { points: 50, reason: "A talk" });
  const { id, at } = given;
  assert.deepEqual([given.status, given.scores.day], ["counted", 50]);
  assert.equal((await client.award("js-won", { id, at, points: 50, reason: "A talk" })).status, "duplicate");
  assert.deepEqual(await member.awards("js-won"), [{ id, at, points: 50, board: "activity", reason: "A talk", state: "counted" }]);
  assert.equal((await client.revokeAward("js-won", id)).points, -50);
  await client.putVoidPair("js-won", "js-fan", "A ring");
  const pair = await client.voidPair("js-fan", "js-won");
  assert.deepEqual([pair.other, pair.reason], ["js-won", "A ring"]);
  await client.liftVoidPair("js-won", "js-fan");
  await assert.rejects(client.voidPair("js-won", "js-fan"), { code: "no_void_pair" });
  const acts = (await all(client.allRecord({ limit: 1 }))).filter(({ user }) => user?.id === "js-won").map(({ command }) => command);
  assert.deepEqual(acts, ["void --lift", "void", "award --lift", "award"]);
});

test("a user is merged into another one", async () => {
  const client = service();
  await client.report([{ user: "js-old", action: "like", target: "p" }]);
  assert.equal((await client.merge("js-old", "js-new")).into, "js-new");
  assert.equal((await client.mergeOf("js-old")).into, "js-new");
  await client.report([{ user: "js-old", action: "like", target: "q" }]);
  assert.equal((await client.standing("activity", "day", "js-old")).standing.user.id, "js-new");
  await assert.rejects(client.merge("js-old", "js-other"), { code: "merged_elsewhere" });
});

test("articles", async () => {
  const [client, member] = [service(), new Client(address, source("js-reader"))];
  const ids = [];
  for (const title of ["One", "Two"]) {
    const article = await client.createArticle({ title, author: { id: "js-author" }, groups: ["js-group"] });
    ids.push(article.id);
  }
  await member.report([{ action: "like", target: ids[1] }]);
  assert.deepEqual(await member.votes("js-reader", ids), [ids[1]]);
  await client.editArticle(ids[1], { title: "2", groups: ["js-group"] });
  assert.equal((await client.article(ids[1])).title, "2");
  const listed = await all(client.allArticles({ sort: "hot", group: "js-group", limit: 1 }));
  assert.deepEqual(listed.map((a) => a.id), [ids[1], ids[0]]);
  await client.deleteArticle(ids[0]);
  await assert.rejects(client.article(ids[0]), { code: "unknown_article" });
});

test("a problem has its code, all violations and the request's id", async () => {
  const member = new Client(address, source("js-ann"));
  const wrong = member.report([{ action: "lick", target: "1" }, { action: "like" }]);
  await assert.rejects(wrong, (p) => {
    assert.ok(p instanceof Problem);
    assert.equal(p.code, "invalid");
    assert.equal(p.errors.length, 2);
    assert.equal(p.errors[0].location, "body.activities[0].action");
    assert.ok(p.instance && p.message.includes(p.instance) && !p.message.includes("lick"));
    return true;
  });
});

// Returns a client of a server that gives its answers in order, the last one repeatedly, and the server's requests.
// An answer is a status, a body and headers; 0 is a connection that ends before.
function fake(answers, options) {
  const asked = [];
  let tokens = 0;
  const client = new Client("https://laurel.invalid/", () => `t${++tokens}`, {
    fetch: async (url, request) => {
      asked.push({ url, ...request, token: request.headers.Authorization?.slice(7), at: Date.now() });
      const [status, body, headers] = answers[Math.min(asked.length, answers.length) - 1];
      if (!status) throw new TypeError("fetch failed");
      return new Response(JSON.stringify(body ?? {}), { status, headers });
    },
    ...options,
  });
  return { client, asked };
}

const done = [200, { receipts: [{ status: "counted" }] }];
const like = [{ action: "like", target: "1" }];
const problem = { "Content-Type": "application/problem+json" };

test("a request that may pass is sent again", { concurrency: true }, async (t) => {
  const cases = [];
  for (const [name, answers, tries, least, status] of [
    ["an outage", [[503, {}, { "Retry-After": "1" }], done], 2, 1000],
    ["a throttle of API Gateway", [[429, { message: "Too Many Requests" }], done], 2, 90],
    ["the network", [[0], [502], [504], done], 4, 600],
    ["the network for good", [[0]], 4, 600, null],
    ["too long", [[503, {}, { "Retry-After": "61" }]], 1, 0, 503],
    ["an error", [[500]], 1, 0, 500],
    ["a violation", [[422]], 1, 0, 422],
  ]) {
    cases.push(t.test(name, async () => {
      const { client, asked } = fake(answers);
      const began = Date.now();
      const error = await client.report(like).then(() => undefined, (e) => e);
      assert.equal(error instanceof Problem ? error.status : error && null, status);
      assert.equal(asked.length, tries);
      assert.ok(Date.now() - began >= least && Date.now() - began < least + 4000, `${Date.now() - began} ms`);
    }));
  }
  await Promise.all(cases);
});

test("repeated reports are the same, the service's with the moment of the first try", async () => {
  const { client, asked } = fake([[0], done]);
  const began = Date.now();
  await client.report([{ ...like[0], user: "ann" }]);
  assert.equal(asked[0].body, asked[1].body);
  assert.ok(Math.abs(Date.parse(JSON.parse(asked[1].body).activities[0].at) - began) < 50);
  await client.report(like);
  assert.equal(asked[2].body, JSON.stringify({ activities: like }));
  const articles = fake([[0], [201, { id: "1" }]]);
  await articles.client.createArticle({ title: "One", author: { id: "ann" }, publishedAt: undefined });
  assert.equal(articles.asked[0].body, articles.asked[1].body);
  assert.match(articles.asked[1].body, /"publishedAt":"20.*"id":"[0-9a-v]{26}"/);
});

test("a member's reports do not overtake each other", async () => {
  const { client, asked } = fake([[0], done]);
  await Promise.all([client.report(like), client.report([{ action: "unlike", target: "1" }])]);
  assert.deepEqual(asked.map((r) => JSON.parse(r.body).activities[0].action), ["like", "like", "unlike"]);
});

test("an error has the receipts before it", async () => {
  const { client } = fake([done, [422]]);
  const many = Array.from({ length: 101 }, () => like[0]);
  await assert.rejects(client.report(many), { status: 422, receipts: [{ status: "counted" }] });
});

// Returns a signal that ends after some milliseconds, and keeps the process until then: AbortSignal.timeout does not.
function endsAfter(milliseconds) {
  const ends = new AbortController();
  setTimeout(() => ends.abort(new Error("ended")), milliseconds);
  return ends.signal;
}

test("a signal ends waiting and trying", async () => {
  const { client } = fake([[503, {}, { "Retry-After": "9" }]]);
  const began = Date.now();
  await assert.rejects(client.standings("ann", { signal: endsAfter(50) }), /^Error: ended/);
  await assert.rejects(client.report(like, { signal: AbortSignal.abort() }), { name: "AbortError" });
  assert.ok(Date.now() - began < 3000);
  const hangs = (_, { signal }) => new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
  });
  const slow = new Client("https://laurel.invalid", undefined, { fetch: hangs, timeout: 20, tries: 2 });
  await assert.rejects(slow.articles(), /no answer within 20 ms/);
  const waits = new Client("https://laurel.invalid", () => new Promise(() => {}), { fetch: hangs });
  await assert.rejects(waits.standings("ann", { signal: endsAfter(20) }), /^Error: ended/);
});

test("a refused token is asked for again once", async () => {
  const expired = [401, { code: "token_expired" }, problem];
  for (const [answers, tokens, error] of [
    [[expired, [200]], ["t1", "t2"]],
    [[[403, { message: "Forbidden" }], [200]], ["t1", "t2"]],
    [[expired], ["t1", "t2"], { code: "token_expired" }],
    [[[403, { code: "service_only" }, problem]], ["t1"], { code: "service_only" }],
  ]) {
    const { client, asked } = fake(answers);
    const read = client.standings("ann");
    await (error ? assert.rejects(read, error) : read);
    assert.deepEqual(asked.map((r) => r.token), tokens);
  }
});

test("a token is shared, and renewed shortly before it expires", async (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: 1_795_000_000_000 });
  let calls = 0;
  const token = async () => {
    calls++;
    return `e30.${Buffer.from(JSON.stringify({ sub: "Zoë?>", exp: Date.now() / 1000 + 600 })).toString("base64url")}.AA`;
  };
  const client = new Client("https://laurel.invalid", token, { fetch: async () => new Response("{}") });
  const read = () => Promise.all(Array.from({ length: 20 }, () => client.standings("ann")));
  for (const [after, want] of [[0, 1], [560_000, 1], [15_000, 2]]) {
    t.mock.timers.tick(after);
    await read();
    assert.equal(calls, want);
  }
  await client.board("activity", "day");
  assert.equal(calls, 2);
  const failing = new Client("https://laurel.invalid", () => { throw new Error("no session"); });
  await assert.rejects(failing.standings("ann"), /no session/);
});

test("a next that is no path is not followed", async () => {
  const { client, asked } = fake([[200, { users: [], next: "@elsewhere.invalid/" }]]);
  await assert.rejects(all(client.allFollowing("ann")), /not a path/);
  assert.equal(asked.length, 1);
});

const key = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const secret = `whsec_${key}`;

test("verify takes the vector of the libraries of Standard Webhooks", async () => {
  const event = await verify({
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  }, '{"test": 2432232314}', secret, 1_614_265_330_000);
  assert.deepEqual(event, { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", test: 2432232314 });
});

test("verify accepts recent signatures by one of the secrets", async () => {
  const body = '{"type":"period.final","timestamp":"2026-11-20T00:02:00Z","data":{"board":"activity","name":"Zoë"}}';
  const at = 1_795_172_400;
  const signed = (by) => new Headers({
    "webhook-id": "e1", "webhook-timestamp": `${at}`,
    "webhook-signature": `v1a,AAAA v1,${createHmac("sha256", by).update(`e1.${at}.${body}`).digest("base64")}`,
  });
  const text = "a-secret-of-text";
  const [encoded, plain] = [signed(Buffer.from(key, "base64")), signed(text)];
  const event = await verify(encoded, Buffer.from(body), secret, at * 1000);
  assert.deepEqual(event, { ...JSON.parse(body), id: "e1" });
  await verify(plain, body, text, at * 1000);
  await verify(plain, body, [secret, text], at * 1000 + 300_000);
  await verify(Object.fromEntries(plain), body, [secret, text], at * 1000 - 300_000);
  for (const [headers, of, by, now] of [
    [plain, body, text, at * 1000 + 301_000], [plain, body, text, at * 1000 - 301_000],
    [plain, `${body} `, text, at * 1000], [plain, body, secret, at * 1000], [plain, body, [], at * 1000],
    [{}, body, text, at * 1000], [{ ...Object.fromEntries(plain), "webhook-signature": "v1,%" }, body, text, at * 1000],
  ]) {
    await assert.rejects(verify(headers, of, by, now), SignatureError);
  }
  for (const bad of ["", undefined, "short", "whsec_", "whsec_%%%"]) {
    await assert.rejects(verify(plain, body, bad, at * 1000), /a secret is shorter/);
  }
});

// The OpenAPI document of the server.
const document = () => fetch(`${address}/openapi.json`).then((a) => a.json());

test("every operation is one of the document", async () => {
  const { paths } = await document();
  const has = (method, path) => Object.entries(paths).some(([template, operations]) =>
    new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]+")}$`).test(path) && operations[method.toLowerCase()]);
  assert.ok(!has("POST", "/v1/articles/1"));
  const { client, asked } = fake([[500]]);
  const methods = Object.getOwnPropertyNames(Client.prototype).filter((name) => name !== "constructor");
  for (const name of methods) {
    const before = asked.length;
    const first = { report: like, putProfile: { id: "1" }, putProfiles: [{}], createArticle: {} }[name] ?? "1";
    const rest = /^(articles|allArticles|record|allRecord)$/.test(name) ? [] : [first, ["1"], "1"].slice(0, Math.max(client[name].length, 1));
    const made = client[name](...rest);
    await assert.rejects(made.next ? made.next() : made, { status: 500 }, name);
    assert.equal(asked.length, before + 1, name);
    const { url, method } = asked.at(-1);
    const { pathname } = new URL(url);
    assert.ok(has(method, pathname), `${name}: the document has no ${method} ${pathname}`);
  }
  assert.ok(methods.length > 25);
});

test("every method has a type", async () => {
  const types = await readFile(new URL("index.d.ts", import.meta.url), "utf8");
  for (const name of Object.getOwnPropertyNames(Client.prototype)) {
    assert.match(types, new RegExp(`^ {2}${name}\\(`, "m"), name);
  }
});

test("the examples of README.md run", async (t) => {
  const readme = await readFile(new URL("README.md", import.meta.url), "utf8");
  const examples = [...readme.matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code
    .replace("laurel-client", new URL("index.js", import.meta.url))
    .replace("https://boards.example", address)
    .replace("/laurel/token", `${address}/dev/token?user=js-readme`));
  const said = [];
  t.mock.method(console, "log", (...words) => said.push(words.join(" ")));
  const modules = [];
  for (const code of examples) modules.push(await import(`data:text/javascript,${encodeURIComponent(code)}`));
  assert.equal(said[0], "counted 2");
  assert.ok(said.some((line) => /^\d+ js-readme 2$/.test(line)), said.join("\n"));
  process.env.EVENTS_SECRET = secret;
  const body = '{"type":"period.final","data":"it"}';
  const at = Math.floor(Date.now() / 1000);
  const sum = createHmac("sha256", Buffer.from(key, "base64")).update(`e1.${at}.${body}`).digest("base64");
  const headers = { "webhook-id": "e1", "webhook-timestamp": `${at}`, "webhook-signature": `v1,${sum}` };
  await modules[1].receive(new Request("https://forum.example", { method: "POST", body, headers }));
  assert.equal(said.at(-1), "e1 period.final it");
});
