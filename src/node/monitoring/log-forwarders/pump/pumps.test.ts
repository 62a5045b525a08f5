import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { startHttpReceiver } from "../../../../../tests/kit/log-receivers.ts";
import { createTestNode, type TestNode } from "../../../../../tests/kit/node-app.ts";
import { withSecondAdmin } from "../../../../../tests/kit/second-admin.ts";
import { until } from "../../../../../tests/kit/until.ts";
import { createChannel } from "../../../../lib/channel.ts";
import { systemClock } from "../../../../lib/clock.ts";
import { findForwarder } from "../forwarders/forwarder-store.ts";
import type { FollowedLine, Since } from "./followed.ts";
import { createPumps, type Pumps } from "./pumps.ts";

let node: TestNode;
const ends: (() => unknown)[] = [];
beforeEach(() => {
  node = createTestNode({ session_rate: "1000000" });
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  node.close();
});

/** Sources that tests write to, and that are read from a moment on. */
function createLogs() {
  const written: FollowedLine[] = [];
  const readers = new Set<(line: FollowedLine) => void>();
  const begun: Since[] = [];
  return {
    begun,
    readers,
    write(text: string, rest: Partial<FollowedLine> = {}) {
      const at = `2026-06-01T00:00:${String(written.length).padStart(2, "0")}.000000000Z`;
      const line: FollowedLine = { from: "docker:web", at, source: "stdout", level: null, text, ...rest };
      written.push(line);
      for (const push of readers) push(line);
    },
    async *follow(since: Since, signal: AbortSignal): AsyncIterable<FollowedLine> {
      begun.push(since);
      const beginning = (from: string): string => (typeof since === "string" ? since : (since[from] ?? ""));
      const channel = createChannel<FollowedLine>(100_000, signal);
      for (const line of written) if ((line.at ?? "") >= beginning(line.from)) channel.push(line);
      const push = (line: FollowedLine) => channel.push(line);
      readers.add(push);
      yield* channel;
      readers.delete(push);
    },
  };
}

function start(logs: ReturnType<typeof createLogs>, totalLimit?: number, more: object = {}): Pumps {
  const clock = { ...systemClock, now: () => Date.UTC(2026, 4, 31) };
  const pumps = createPumps({ ...node.ctx, clock, followLogs: logs.follow, ...more }, totalLimit);
  pumps.start();
  ends.push(() => pumps.stop());
  return pumps;
}

/** An engine that has these containers. */
const engineWith = (containers: object[]) => ({
  runtime: { engine: () => ({ listContainers: async () => containers }) },
});

function receive() {
  const receiver = startHttpReceiver();
  ends.push(() => receiver.stop());
  return receiver;
}

const textsOf = (receiver: ReturnType<typeof startHttpReceiver>): string[] =>
  receiver.got.flatMap(({ json }) => json.lines.map(({ text }: { text: string }) => text));
const create = async (name: string, url: string, rest: object = {}) =>
  (await node.call("POST /api/log-forwarders", { as: "admin", body: { name, kind: "http", config: { url }, ...rest } }))
    .body;

test("each gets what it wants, without secrets; one that fails holds up no other", async () => {
  const logs = createLogs();
  const [all, errors, system] = [receive(), receive(), receive()];
  await create("gone", "http://127.0.0.1:9/");
  await create("all", all.url);
  await create("errors", errors.url, { min_level: "error" });
  await create("system", system.url, { sources: "system" });
  const pumps = start(logs);
  await pumps.settled();
  await until(() => logs.readers.size === 1, { everyMs: 5 });
  logs.write("GET /?token=abcdef&password=hunter2 200");
  logs.write("it broke", { level: "error" });
  logs.write("session opened", { from: "system", source: "ssh.service" });
  await until(() => textsOf(all).length === 3 && textsOf(errors).length === 1 && textsOf(system).length === 1);
  expect(textsOf(all)[0]).not.toMatch(/abcdef|hunter2/);
  expect(textsOf(errors)).toEqual(["it broke"]);
  expect(system.got[0]?.json.lines[0]).toMatchObject({ source: "ssh.service", text: "session opened" });
  expect(all.got.flatMap(({ json }) => json.lines)[1]).toMatchObject({ source: "web", level: "error" });
});

test("a receiver on this server that prints what it gets is not sent what it printed, and neither is the rest of its app", async () => {
  const logs = createLogs();
  const [echo, other] = [receive(), receive()];
  await create("echo", echo.url);
  await create("other", other.url);
  const port = Number(new URL(echo.url).port);
  const Labels = { "com.docker.compose.project": "collect" };
  const containers = [
    { Id: "1", Names: ["/collector"], Labels, Ports: [{ PrivatePort: 80, PublicPort: port, Type: "tcp" }] },
    { Id: "2", Names: ["/collector-store"], Labels },
    { Id: "3", Names: ["/web"], Labels: {}, Ports: [{ PrivatePort: 80, PublicPort: port, Type: "udp" }] },
  ];
  const pumps = start(logs, undefined, engineWith(containers));
  await pumps.settled();
  await until(() => logs.readers.size === 1, { everyMs: 5 });
  logs.write("got: hello", { from: "docker:collector" });
  logs.write("stored: hello", { from: "docker:collector-store" });
  logs.write("hello");
  await until(() => textsOf(echo).includes("hello") && textsOf(other).includes("hello"));
  expect(textsOf(echo)).toEqual(["hello"]);
  expect(textsOf(other)).toEqual(["got: hello", "stored: hello", "hello"]);
});

test("a receiver on the server's own network is known by what its image listens on, and who is left out is said", async () => {
  const logs = createLogs();
  const echo = receive();
  const { id } = await create("echo", echo.url);
  const port = new URL(echo.url).port;
  const containers = [
    { Id: "1", Names: ["/collector"], Labels: {}, HostConfig: { NetworkMode: "host" } },
    { Id: "2", Names: ["/other"], Labels: {}, HostConfig: { NetworkMode: "host" } },
    { Id: "3", Names: ["/web"], Labels: {}, HostConfig: { NetworkMode: "bridge" } },
  ];
  const exposed: Record<string, object> = {
    "1": { [`${port}/tcp`]: {} },
    "2": { [`${port}/udp`]: {} },
    "3": { [`${port}/tcp`]: {} },
  };
  const engine = {
    listContainers: async () => containers,
    inspectContainer: async (container: string) => ({ Config: { ExposedPorts: exposed[container] } }),
  };
  const pumps = start(logs, undefined, { runtime: { engine: () => engine } });
  await pumps.settled();
  await until(() => logs.readers.size === 1, { everyMs: 5 });
  logs.write("got: hello", { from: "docker:collector" });
  logs.write("hello", { from: "docker:other" });
  await until(() => textsOf(echo).length > 0, { everyMs: 5 });
  expect(textsOf(echo)).toEqual(["hello"]);
  const row = findForwarder(node.ctx.db, id);
  expect(row && pumps.status(row).kept_out).toEqual(["collector"]);
});

test("nobody reads while there is nobody to forward to, and reading ends with the last one", async () => {
  const logs = createLogs();
  const pumps = start(logs);
  await pumps.settled();
  expect(logs.begun).toEqual([]);
  const receiver = receive();
  const { id } = await create("all", receiver.url);
  pumps.reconcile();
  await until(() => logs.readers.size === 1, { everyMs: 5 });
  await node.call(`DELETE /api/log-forwarders/${id}`, { as: "admin" });
  pumps.reconcile();
  await until(() => logs.readers.size === 0, { everyMs: 5 });
});

test("after a restart each log goes on where it was: nothing is missing and nothing comes again", async () => {
  const logs = createLogs();
  const receiver = receive();
  await create("all", receiver.url);
  const first = start(logs);
  await until(() => logs.readers.size === 1, { everyMs: 5 });
  logs.write("one");
  const { at } = { at: "2026-06-01T00:00:30.000000000Z" };
  // Two lines of one moment, and another log that is behind.
  logs.write("two", { at });
  logs.write("three", { at });
  logs.write("four", { from: "system", at: "2026-06-01T00:00:20.000000000Z" });
  await until(() => textsOf(receiver).length === 4);
  await first.stop();
  logs.write("five", { at });
  logs.write("six", { from: "system", at: "2026-06-01T00:00:25.000000000Z" });
  start(logs);
  await until(() => textsOf(receiver).length === 6);
  expect(textsOf(receiver)).toEqual(["one", "two", "three", "four", "five", "six"]);
});

test("several that nobody answers share the room: the oldest lines of the fullest go, and all are counted", async () => {
  const logs = createLogs();
  const ids: string[] = [];
  for (const name of ["one", "two", "three"]) ids.push((await create(name, "http://127.0.0.1:9/")).id);
  ids.push((await create("errors", "http://127.0.0.1:9/", { min_level: "error" })).id);
  const limit = 3 * 1_048_576;
  const pumps = start(logs, limit);
  await pumps.settled();
  await until(() => logs.readers.size === 1, { everyMs: 5 });
  logs.write("it broke", { level: "error" });
  const lines = 300;
  for (let index = 1; index < lines; index++) logs.write(`${index} ${"x".repeat(8_000)}`);
  const countsOf = (id: string) => {
    const row = findForwarder(node.ctx.db, id);
    if (!row) throw new Error(`there is no forwarder ${id}`);
    return pumps.status(row).counts;
  };
  const handledBy = (id: string) => countsOf(id).waiting + countsOf(id).dropped;
  await until(() => ids.slice(0, 3).every((id) => handledBy(id) === lines));
  const waitingBytes = () => ids.reduce((sum, id) => sum + countsOf(id).waiting_bytes, 0);
  const onDisk = () =>
    readdirSync(join(node.dataDir, "log-forwarders"), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".lines"))
      .reduce((sum, path) => sum + statSync(join(node.dataDir, "log-forwarders", path)).size, 0);
  // Lines that just came push the oldest out.
  await until(() => onDisk() <= limit && onDisk() === waitingBytes(), { what: "room for all that waits" });
  for (const id of ids.slice(0, 3)) expect(countsOf(id).dropped).toBeGreaterThan(0);
  expect(countsOf(ids[3] ?? "")).toMatchObject({ waiting: 1, dropped: 0 });
});

test("one whose maker is no admin any more takes and sends nothing, and goes on when they are one again", async () => {
  const logs = createLogs();
  const receiver = receive();
  const maker = await withSecondAdmin(node);
  const body = { name: "theirs", kind: "http", config: { url: receiver.url } };
  const { id } = (await maker.call("POST /api/log-forwarders", body)).body;
  const become = (role: string) => node.call(`PATCH /api/users/${maker.id}`, { as: "admin", body: { role } });
  const state = async () => (await node.call("GET /api/log-forwarders", { as: "admin" })).body[0].state;
  const pumps = start(logs);
  await until(() => logs.readers.size === 1, { everyMs: 5 });
  logs.write("one");
  await until(() => textsOf(receiver).length === 1, { everyMs: 5 });
  await become("member");
  await until(() => logs.readers.size === 0, { everyMs: 5 });
  expect(await state()).toBe("paused");
  const tested = await node.call(`POST /api/log-forwarders/${id}/test`, { as: "admin" });
  expect([tested.status, tested.body.code]).toEqual([409, "log_forwarder_paused"]);
  await become("admin");
  pumps.tell();
  await until(() => logs.readers.size === 1, { everyMs: 5 });
  expect(await state()).not.toBe("paused");
  await node.call(`DELETE /api/users/${maker.id}`, { as: "admin" });
  await until(() => logs.readers.size === 0, { everyMs: 5 });
  const taken = await node.call(`POST /api/log-forwarders/${id}/take-over`, { as: "admin" });
  expect([taken.status, taken.body.state]).not.toContain("paused");
  pumps.reconcile();
  await until(() => logs.readers.size === 1, { everyMs: 5 });
  logs.write("two", { at: "2026-06-02T00:00:00.000000000Z" });
  await until(() => textsOf(receiver).includes("two"), { everyMs: 5 });
});

test("whoever leads one to another address answers for it, whoever renames it does not", async () => {
  const pumps = start(createLogs());
  const receiver = receive();
  const call = (route: string, body: object) => node.call(route, { as: "admin", body });
  const other = await withSecondAdmin(node);
  const made = { name: "ours", kind: "http", config: { url: receiver.url } };
  const path = `/api/log-forwarders/${(await call("POST /api/log-forwarders", made)).body.id}`;
  const state = async () => (await node.call("GET /api/log-forwarders", { as: "admin" })).body[0].state;
  const become = (role: string) => call(`PATCH /api/users/${other.id}`, { role });
  await other.call(`PUT ${path}`, { name: "renamed" });
  await become("member");
  expect(await state()).not.toBe("paused");
  await become("admin");
  await other.call(`PUT ${path}`, { config: { url: `${receiver.url}/elsewhere` } });
  await become("member");
  expect(await state()).toBe("paused");
  pumps.reconcile();
});
