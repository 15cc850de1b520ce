// Has the client that @hey-api/openapi-ts made of the document read every answer that drive.py
// recorded: tsc holds it against its types, zod's schemas against what was answered, and its
// requests are compared with the recorded ones. node drive.js openapi.json exchanges.json
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import type { AddressInfo } from 'node:net';
import { createClient } from './laurel/client';
import * as sdk from './laurel/sdk.gen';
import * as zod from './laurel/zod.gen';

type Parameter = { name: string; in: string; schema: { type?: string } };
type Operation = {
  operationId: string;
  parameters?: Parameter[];
  responses: Record<string, { content?: Record<string, { schema: { $ref?: string } }> }>;
};
type Exchange = {
  operation: string; expected: string; method: string; target: string; sent: string;
  status: number; type: string; body: string;
};
type Call = (options: Record<string, unknown>) => Promise<{ data?: unknown; error?: unknown; response?: Response }>;
type Schema = { safeParse(value: unknown): { success: boolean; data?: unknown; error?: unknown } };

const document = JSON.parse(readFileSync(process.argv[2]!, 'utf8'));
const exchanges: Exchange[] = JSON.parse(readFileSync(process.argv[3]!, 'utf8'));
/** The component in place of a reference to one. */
const referred = <T>(value: T): T => {
  const [, , kind, name] = (value as { $ref?: string }).$ref?.split('/') ?? [];
  return name ? document.components[kind!][name] : value;
};
const operations = new Map<string, [string, Operation]>();
for (const [path, item] of Object.entries<Record<string, Operation>>(document.paths)) {
  for (const operation of Object.values(item)) {
    operation.parameters = operation.parameters?.map(referred);
    for (const status in operation.responses) operation.responses[status] = referred(operation.responses[status]!);
    operations.set(operation.operationId, [path, operation]);
  }
}
const failures: string[] = [];
let now: Exchange;

/** A name of the document as the generator writes it: read-board as readBoard. */
const camel = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** A value without the difference between numbers and big integers. */
const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value ?? null, (_, v) => (typeof v === 'bigint' ? Number(v) : v)));

/** Whether a value has all that another one has; defaults may be added. */
const has = (value: unknown, of: unknown): boolean =>
  typeof of !== 'object' || of === null || typeof value !== 'object' || value === null
    ? Object.is(value, of)
    : Object.entries(of).every(([name, item]) => has((value as Record<string, unknown>)[name], item));

/** What a request asks for, in no order. */
const asked = (target: string) => {
  const url = new URL(target, 'http://x');
  return [decodeURIComponent(url.pathname), ...[...url.searchParams].map(([k, v]) => `${k}=${v}`).sort()];
};

const server = createServer((request, response) => {
  if (request.method !== now.method || !isDeepStrictEqual(asked(request.url!), asked(now.target))) {
    failures.push(`${now.operation} ${now.expected}: sent ${request.method} ${request.url}, not ${now.target}`);
  }
  request.resume().on('end', () => {
    response.writeHead(now.status, now.type ? { 'Content-Type': now.type } : {}).end(now.body);
  });
});

/** The arguments with which the client's function sends a recorded request. */
const options = (path: string, operation: Operation, x: Exchange) => {
  const url = new URL(x.target, 'http://x');
  const values: Record<string, Record<string, unknown>> = { path: {}, query: {} };
  const names = [...path.matchAll(/{(\w+)}/g)].map((m) => m[1]!);
  const found = new RegExp('^' + path.replace(/{\w+}/g, '([^/]+)') + '$').exec(url.pathname)!;
  names.forEach((name, i) => { values.path![name] = decodeURIComponent(found[i + 1]!); });
  for (const [name, value] of url.searchParams) {
    const list = operation.parameters?.some((p) => p.name === name && p.schema.type === 'array');
    values.query![name] = list ? value.split(',') : value;
  }
  return { ...values, ...(x.sent ? { body: JSON.parse(x.sent) } : {}) };
};

const check = async (x: Exchange, base: string) => {
  const [path, operation] = operations.get(x.operation)!;
  const where = `${x.operation} ${x.expected}`;
  const call = (sdk as unknown as Record<string, Call>)[camel(x.operation)]!;
  now = x;
  const client = createClient({ baseUrl: base, auth: 'a-token' });
  const got = await call({ client, ...options(path, operation, x) });
  const json = /json/.test(x.type) && x.body;
  const answer = json ? JSON.parse(x.body) : undefined;
  if (got.response?.status !== x.status) failures.push(`${where}: ${got.error ?? got.response?.status}`);
  if (json && !isDeepStrictEqual(plain(x.status < 400 ? got.data : got.error), answer)) {
    failures.push(`${where}: read as ${JSON.stringify(plain(got))}`);
  }
  const schema = operation.responses[x.expected]?.content?.[x.type.split(';')[0]!]?.schema;
  const name = schema?.$ref?.split('/').pop();
  if (!json || !name) return;
  const parsed = (zod as unknown as Record<string, Schema>)[`z${name}`]!.safeParse(answer);
  if (!parsed.success) failures.push(`${where}: ${name}: ${parsed.error}`);
  else if (!has(plain(parsed.data), answer)) failures.push(`${where}: ${name} has not all fields of ${x.body}`);
};

server.listen(0, '127.0.0.1', async () => {
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const x of exchanges) {
    await check(x, base).catch((e: unknown) => failures.push(`${x.operation} ${x.expected}: ${e}`));
  }
  const said = `${exchanges.length} answers read by the TypeScript client, ${failures.length} failures`;
  console.log([said, ...failures].join('\n'));
  process.exit(failures.length ? 1 : 0);
});
