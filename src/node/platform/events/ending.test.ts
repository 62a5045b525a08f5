import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addAccount, bearer, logIn, MANY_ADDRESSES, PASSWORD } from "../../../../tests/kit/accounts.ts";
import { closeDriveNode, openDriveNode } from "../../../../tests/kit/drive-node.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { createStore } from "../../../kernel/db/store.ts";
import { wireAccounts } from "../../people/wire.ts";

let node: TestNode;
let userId: string;
/** The session that listens, and another one of the same person. */
let here: { access_token: string };
let there: { access_token: string };

beforeEach(async () => {
  node = createTestNode(MANY_ADDRESSES);
  userId = (await addAccount(node, "ada", "member")).id;
  here = (await logIn(node, "ada")).body;
  there = (await logIn(node, "ada")).body;
});
afterEach(() => node.close());

const call = (route: string, body?: unknown, as = there.access_token) =>
  node.call(route, { headers: bearer(as), body });

/** Listens to the live stream; `isOpen` is true until it ends, and the clock stands still all the while. */
async function listen(headers: Record<string, string>) {
  const stop = new AbortController();
  const url = "http://localhost/api/events/stream";
  const response = await node.fetch(
    new Request(url, { headers: { ...headers, host: "localhost" }, signal: stop.signal }),
  );
  const state = { isOpen: true, text: "", stop: () => stop.abort() };
  const decoder = new TextDecoder();
  void (async () => {
    for await (const chunk of response.body ?? []) state.text += decoder.decode(chunk);
    state.isOpen = false;
  })().catch(() => {});
  await settle();
  return state;
}

/** Some turns of the event loop: what is to happen at once has happened then. */
async function settle(): Promise<void> {
  await node.ctx.bus.idle();
  for (let turn = 0; turn < 20; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}

const sessionOf = (token: string): string => JSON.parse(atob(token.split(".")[1] ?? "")).sid;

test.each<[string, () => Promise<unknown>]>([
  ["locked", () => call("POST /api/auth/lock", undefined, here.access_token)],
  ["signed out", () => call("POST /api/auth/logout", undefined, here.access_token)],
  ["ended from elsewhere", () => call(`DELETE /api/auth/sessions/${sessionOf(here.access_token)}`)],
  ["ended with all others", () => call("DELETE /api/auth/sessions")],
  [
    "ended by a new password",
    () => call("POST /api/auth/change-password", { current_password: PASSWORD, new_password: "another fine phrase" }),
  ],
  ["one of an account that is switched off", () => patch({ disabled: true })],
  ["one of an account that is deleted", () => node.call(`DELETE /api/users/${userId}`, { as: "admin" })],
])("a stream ends at once when its session is %s", async (_what, end) => {
  const mine = await listen(bearer(here.access_token));
  const other = await listen(bearer(await node.tokenOf("viewer")));
  expect([mine.isOpen, mine.text]).toEqual([true, expect.stringContaining("event: hello")]);
  await end();
  await settle();
  expect([mine.isOpen, other.isOpen]).toEqual([false, true]);
  other.stop();
});

const patch = (body: object) => node.call(`PATCH /api/users/${userId}`, { as: "admin", body });

test("a stream ends with the role that it was opened with, and goes on with a greater one", async () => {
  const mine = await listen(bearer(here.access_token));
  await patch({ role: "admin" });
  await settle();
  expect(mine.isOpen).toBe(true);
  const asAdmin = await listen(bearer(there.access_token));
  await patch({ role: "member" });
  await settle();
  expect([mine.isOpen, asAdmin.isOpen]).toEqual([true, false]);
  mine.stop();
});

test("the lock is still told to the pages that it locks", async () => {
  const mine = await listen(bearer(here.access_token));
  await call("POST /api/auth/lock", undefined, here.access_token);
  await settle();
  expect(mine.text).toContain("event: session.locked");
});

test("a key's and an app's stream end with them", async () => {
  const key = (await call("POST /api/keys", { name: "k" })).body;
  const { code } = (await call("POST /api/paired-devices/pairings")).body;
  const app = (await node.call("POST /api/paired-devices/pair", { body: { code, name: "Phone" } })).body;
  const [byKey, byApp] = [await listen({ "x-api-key": key.key }), await listen(bearer(app.token))];
  await call(`DELETE /api/keys/${key.id}`);
  await settle();
  expect([byKey.isOpen, byApp.isOpen]).toEqual([false, true]);
  await call(`DELETE /api/paired-devices/${app.id}`);
  await settle();
  expect(byApp.isOpen).toBe(false);
});

test("asking anew costs nobody their rate of requests", async () => {
  const poor = createTestNode({ ...MANY_ADDRESSES, session_rate: "1" });
  const before = node;
  node = poor;
  await addAccount(poor, "ada", "member");
  const mine = await listen(bearer((await logIn(poor, "ada")).body.access_token));
  for (let round = 0; round < 20; round++) {
    poor.ctx.accessChanges.changed();
    await settle();
  }
  expect(mine.isOpen).toBe(true);
  mine.stop();
  poor.close();
  node = before;
});

test("a body that is sent slowly does nothing once its session has ended", async () => {
  const begun = new TransformStream<Uint8Array, Uint8Array>();
  const writer = begun.writable.getWriter();
  const headers = { ...bearer(here.access_token), "content-type": "application/json", host: "localhost" };
  const request = new Request("http://localhost/api/keys", { method: "POST", headers, body: begun.readable });
  const answer = node.fetch(request);
  void writer.write(new TextEncoder().encode('{"name":'));
  await settle();
  await call("DELETE /api/auth/sessions");
  void writer.write(new TextEncoder().encode('"late"}'));
  void writer.close();
  expect((await answer).status).toBe(401);
  expect(node.ctx.db.raw.query("SELECT * FROM api_keys").all()).toEqual([]);
});

test("a stream ends when a command beside the program has ended its session", async () => {
  const folder = mkdtempSync(join(tmpdir(), "orrery-stream-"));
  const before = node;
  node = openDriveNode(folder, 0);
  await addAccount(node, "bob", "admin");
  const { access_token } = (await logIn(node, "bob")).body;
  const mine = await listen(bearer(access_token));
  const outside = new Database(join(folder, "main.db"));
  wireAccounts({ ...node.ctx, db: createStore(outside) }).sessions.cutAllOf(
    (outside.query("SELECT id FROM users WHERE username = 'bob'").get() as { id: string }).id,
    null,
  );
  outside.close();
  await node.ctx.jobs.run("events.look_outside");
  await settle();
  expect(mine.isOpen).toBe(false);
  await closeDriveNode(node);
  rmSync(folder, { recursive: true });
  node = before;
});

test("how backups go, and who asked for them, is told to admins alone", async () => {
  const [mine, admins] = [await listen(bearer(here.access_token)), await listen(bearer(await node.tokenOf("admin")))];
  const of = { backup_id: "bkp_1", target: "local", by: { user_id: "usr_admin", ip: "203.0.113.9" } };
  const about = { bus: node.ctx.bus as { emit(name: string, data: object): void } };
  about.bus.emit("backup.failed", { ...of, cause: "the disk is full" });
  about.bus.emit("backup.completed", { ...of, size_bytes: 1, added_bytes: 1 });
  about.bus.emit("backup.cancelled", of);
  await settle();
  const told = ({ text }: { text: string }) =>
    ["backup.failed", "backup.cancelled", "203.0.113.9"].filter((word) => text.includes(word));
  expect([told(mine), told(admins)]).toEqual([[], ["backup.failed", "backup.cancelled", "203.0.113.9"]]);
  for (const stream of [mine, admins]) stream.stop();
});
