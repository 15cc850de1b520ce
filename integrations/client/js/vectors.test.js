// The vectors of the repository by the client's methods: each kind of server is a laurel dev, whose program is in
// LAUREL_PROGRAM (go test ./integrations builds one). docs/vectors.md describes the files.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { Client } from "./index.js";

const program = process.env.LAUREL_PROGRAM;
if (!program) throw new Error("LAUREL_PROGRAM has to be the program laurel");

const folder = fileURLToPath(new URL("../../../vectors/", import.meta.url));
const files = readdirSync(folder).filter((name) => name.endsWith(".json"));

// The client's method for a request, and its receipts. Vectors with other requests (of operators) or with work of
// minutes are left to laurel vectors.
const methods = [
  [/^POST \/v1\/activities$/, (client, { activities }) => client.report(activities)],
  [/^PUT \/v1\/users$/, async (client, { users }) => { await client.putProfiles(users); return []; }],
  [/^POST \/v1\/users\/([^/]+)\/awards$/, async (client, award, user) => [await client.award(user, award)]],
  [/^DELETE \/v1\/users\/([^/]+)\/awards\/(.+)$/, async (client, _, user, id) => [await client.revokeAward(user, id)]],
];
const methodOf = ({ method, path }) => methods.find(([pattern]) => pattern.test(`${method} ${path}`));

const servers = new Map();
let played = 0;
for (const name of files) {
  const vector = JSON.parse(readFileSync(folder + name, "utf8"));
  if (vector.wait || !vector.steps.every(methodOf)) continue;
  const setup = JSON.stringify([vector.zone, vector.now, vector.rules]);
  servers.set(setup, [...servers.get(setup) ?? [], vector]);
  played++;
}

// Starts a laurel dev, and returns its address.
async function dev(t, [zone, now, rules]) {
  const args = ["dev", "--addr", "127.0.0.1:0", "--timezone", zone, "--now", now];
  if (rules !== "default") args.push("--rules", folder + rules);
  const server = spawn(program, args, { stdio: ["ignore", "pipe", "ignore"] });
  t.after(async () => { server.kill("SIGINT"); await once(server, "exit"); });
  for await (const line of createInterface(server.stdout)) {
    const address = line.match(/http:\/\/127\.0\.0\.1:\d+/);
    if (address) {
      server.stdout.resume();
      return address[0];
    }
  }
  throw new Error("laurel dev ended before it said where it is");
}

// Returns the places of the vector's users, or teams. Ranks leave out others.
async function places(client, { name }, { board, window, period }) {
  const found = [];
  let others = 0;
  for await (const { rank, user, team, score, reachedAt } of client.boardEntries(board, window, { period })) {
    if (!(user ?? team).id.startsWith(`${name}.`)) others++;
    else if (team) found.push({ rank: rank - others, team: team.id, score, members: team.members });
    else found.push({ rank: rank - others, user: user.id, score, reachedAt: new Date(reachedAt).toISOString() });
  }
  return found;
}

async function play(client, vector) {
  for (const step of vector.steps) {
    const [pattern, send] = methodOf(step);
    const receipts = await send(client, step.body, ...`${step.method} ${step.path}`.match(pattern).slice(1));
    if (step.statuses) assert.deepEqual(receipts.map((r) => r.status), step.statuses, vector.name);
  }
  for (const want of vector.boards) {
    for (let reads = 1; ; reads++) { // boards may be behind the receipts for a while
      const got = await places(client, vector, want);
      try {
        assert.deepEqual(got, want.entries, `${vector.name}, ${want.board} ${want.window} ${want.period}`);
        break;
      } catch (error) {
        if (reads === 100) throw error;
        await wait(50);
      }
    }
  }
}

test("all vectors but six are played", () => {
  assert.ok(played >= files.length - 6 && played >= 100, `${played} of ${files.length}`);
});

for (const [setup, vectors] of servers) {
  test(`vectors of ${setup}`, async (t) => {
    const address = await dev(t, JSON.parse(setup));
    const client = new Client(address, async () =>
      (await (await fetch(`${address}/dev/token?user=forum&scope=laurel/service`)).text()).trim());
    for (const vector of vectors) await play(client, vector);
  });
}
