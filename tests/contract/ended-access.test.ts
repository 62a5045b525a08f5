import { afterAll, expect, spyOn, test } from "bun:test";
import { accessPlugin } from "../../src/kernel/http/access.ts";
import { AppError } from "../../src/kernel/http/errors.ts";
import { mountRoutes } from "../../src/kernel/http/handlers.ts";
import { onNobodysErrand } from "../../src/lib/standing.ts";
import type { NodeRule } from "../../src/node/access.ts";
import { whoseOf } from "../../src/node/actor.ts";
import { addAccount, bearer } from "../kit/accounts.ts";
import { createTestNode } from "../kit/node-app.ts";

const node = createTestNode({ anonymous_rate: "1000000", session_rate: "1000000", plan: "enterprise" });
afterAll(() => node.close());
const { ctx } = node;
// What parts of the system are off is not the question here.
spyOn(ctx.lists.absences, "all").mockReturnValue([]);

const READS = ["GET", "HEAD", "OPTIONS", "PROPFIND", "WS"];

/** All routes that change something. */
const changing = ctx.parts
  .flatMap(({ routes = [] }) => routes)
  .flatMap(({ table }) => Object.entries(table))
  .filter(([route]) => !READS.includes(route.slice(0, route.indexOf(" "))))
  .map(([route, { access }]) => ({ route, rule: access as NodeRule }));

const late = { meanwhile: (): unknown => null, outcome: "" };

/** What answers all of them here: it waits, as each does that asks something slow, and changes something then. */
async function changeLate(): Promise<Response> {
  await onNobodysErrand(late.meanwhile);
  try {
    ctx.db.tx(() => ctx.db.raw.run("UPDATE users SET username = username WHERE id = 'nobody'"));
    late.outcome = "changed";
  } catch (error) {
    late.outcome = error instanceof AppError ? error.code : String(error);
  }
  return new Response();
}

const guard = accessPlugin(ctx.authorize, [], ctx.clock, ctx.accessChanges, whoseOf, ctx.takeTurn, ctx.auth.askAgain);
const bound = changing.map(({ route, rule }) => [route, { access: rule, query: "any", parse: "none" }] as const);
const app = mountRoutes(guard, [
  { table: Object.fromEntries(bound), handlers: Object.fromEntries(bound.map(([route]) => [route, changeLate])) },
]);

/** What comes of a late change on a route, before which `meanwhile` happens. */
async function tryLate(route: string, headers: Record<string, string>, meanwhile: () => unknown): Promise<string> {
  const [method = "", path = ""] = route.replace(/\{\w+\}|\*/g, "none").split(" ");
  Object.assign(late, { meanwhile, outcome: "was not let in" });
  await app.handle(new Request(`http://localhost${path}`, { method, headers: { host: "localhost", ...headers } }));
  return late.outcome;
}

interface Caller {
  id: string;
  session_id: string;
  headers: Record<string, string>;
}

const BY = { actor_id: "usr_owner", ip: "127.0.0.1" };
let count = 0;

/** An admin who can lose it: there is another one. */
async function comeIn(): Promise<Caller> {
  await node.tokenOf("admin");
  const { id } = await addAccount(node, `caller${++count}`);
  const { session_id } = ctx.sessions.begin(id, { ip: "127.0.0.1", device: "test" });
  return { id, session_id, headers: bearer(await ctx.sessions.tokens.sign(id, session_id)) };
}

const switchOff = ({ id }: Caller) => void ctx.users.change(BY, id, { disabled: true });
const demote = ({ id }: Caller) => void ctx.users.change(BY, id, { role: "viewer" });
const lock = ({ id: user_id, session_id }: Caller) =>
  ctx.db.tx(() => {
    ctx.sessions.lock(session_id);
    ctx.bus.emit("session.locked", { user_id, session_id, ip: BY.ip, cause: "user" });
  });

test.each([
  ["who is switched off", switchOff, "unauthorized"],
  ["who gets a smaller role", demote, "forbidden"],
  ["whose session is locked", lock, "locked"],
])("no route changes anything for somebody %s while it is answered", async (_who, end, code) => {
  const wrong: string[] = [];
  const tried = changing.filter(({ rule }) => rule.kind === "session" && !(code === "locked" && rule.whileLocked));
  for (const { route } of tried) {
    const caller = await comeIn();
    const outcome = await tryLate(route, caller.headers, () => end(caller));
    if (outcome !== code) wrong.push(`${route}: ${outcome}`);
  }
  expect(tried.length).toBeGreaterThan(150);
  expect(wrong).toEqual([]);
});

async function makeDavPassword({ headers }: Caller): Promise<{ id: string; headers: Record<string, string> }> {
  const { body } = await node.call("POST /api/drive/webdav-passwords", { headers, body: { name: "laptop" } });
  return { id: body.id, headers: { authorization: `Basic ${btoa(`${body.username}:${body.password}`)}` } };
}

test.each([
  ["who is switched off", switchOff, "unauthorized"],
  ["who gets a smaller role", demote, "forbidden"],
])("nor for a program of somebody %s", async (_who, end, code) => {
  const wrong: string[] = [];
  const tried = changing.filter(({ rule }) => rule.kind === "dav");
  for (const { route } of tried) {
    const caller = await comeIn();
    const { headers } = await makeDavPassword(caller);
    const outcome = await tryLate(route, headers, () => end(caller));
    if (outcome !== code) wrong.push(`${route}: ${outcome}`);
  }
  expect(tried.length).toBeGreaterThan(10);
  expect(wrong).toEqual([]);
});

test("nor with an API key, a device, a WebDAV password or a session that ends", async () => {
  const route = "POST /api/inbox/read";
  const caller = await comeIn();
  const { headers } = caller;
  const call = (asked: string, body?: unknown) =>
    node.call(asked, body === undefined ? { headers } : { headers, body });
  const key = (await call("POST /api/keys", { name: "script" })).body;
  const { code } = (await call("POST /api/paired-devices/pairings")).body;
  const device = (await node.call("POST /api/paired-devices/pair", { body: { code, name: "Phone" } })).body;
  const dav = await makeDavPassword(caller);
  const ways: [string, Record<string, string>, string][] = [
    [route, { "x-api-key": key.key }, `DELETE /api/keys/${key.id}`],
    [route, bearer(device.token), `DELETE /api/paired-devices/${device.id}`],
    ["PUT /dav/drive/*", dav.headers, `DELETE /api/drive/webdav-passwords/${dav.id}`],
    [route, headers, `DELETE /api/auth/sessions/${caller.session_id}`],
  ];
  for (const [changed, shown, ending] of ways) {
    expect(await tryLate(changed, shown, () => call("GET /api/inbox"))).toBe("changed");
    expect([ending, await tryLate(changed, shown, () => call(ending))]).toEqual([ending, "unauthorized"]);
  }
});
