import { afterEach, expect, test } from "bun:test";
import type { Listening } from "../../../../tests/kit/listening.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { startTerminalEngine, type TerminalEngine } from "../../../../tests/kit/terminal-engine.ts";
import { until } from "../../../../tests/kit/until.ts";
import { minutes, seconds } from "../../../lib/duration.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

interface World {
  node: TestNode;
  engine: TerminalEngine;
  listening: Listening;
  headers: Record<string, string>;
  sessionId: string;
}

async function begin(): Promise<World> {
  const engine = startTerminalEngine();
  const node = createTestNode({ docker_socket: engine.socket });
  const listening = node.listen();
  closers.push(
    engine.stop,
    () => node.close(),
    () => listening.stop(),
  );
  node.ctx.runtime.start();
  await until(() => node.ctx.runtime.engine(), { what: "the engine", everyMs: 5 });
  await node.tokenOf("admin");
  const { session_id } = node.ctx.sessions.begin("usr_admin", { ip: "127.0.0.1", device: "test" });
  const headers = { authorization: `Bearer ${await node.ctx.sessions.tokens.sign("usr_admin", session_id)}` };
  return { node, engine, listening, headers, sessionId: session_id };
}

const ask = ({ node, headers }: World, body: object = {}) =>
  node.call("POST /api/containers/web/exec", { headers, body });

/** A browser: keeps what it gets, and gives credit only as the test says. */
function open({ listening, headers }: World, ticket: string, id = "web") {
  const url = `ws://127.0.0.1:${listening.port}/ws/containers/${id}/exec?ticket=${ticket}`;
  const client = new WebSocket(url, { headers });
  client.binaryType = "arraybuffer";
  const told: Record<string, unknown>[] = [];
  const seen = { bytes: 0, text: "", code: 0 };
  client.onmessage = ({ data }) => {
    if (typeof data === "string") return void told.push(JSON.parse(data));
    seen.bytes += data.byteLength;
    if (seen.text.length < 1000) seen.text += Buffer.from(data).toString();
  };
  client.onclose = ({ code }) => {
    seen.code = code;
  };
  closers.push(() => client.close());
  const hears = (type: string) => until(() => told.find((each) => each["type"] === type), { what: type, everyMs: 5 });
  const isClosed = () => until(() => seen.code !== 0, { what: "the close", everyMs: 5 });
  return { client, told, seen, hears, isClosed };
}

async function openTerminal(world: World) {
  const { body } = await ask(world);
  const terminal = open(world, body.ticket);
  await terminal.hears("ready");
  const far = await until(() => world.engine.ends.at(-1), { what: "the program", everyMs: 5 });
  return { ...terminal, far };
}

const recorded = async ({ node }: World, name: string) => {
  await node.ctx.bus.idle();
  return node.events.filter((event) => event.name === name).map(({ data }) => data);
};

test("what is typed arrives, what is said comes back, and the end says with what", async () => {
  const world = await begin();
  const { client, seen, hears, isClosed, far } = await openTerminal(world);
  client.send(new TextEncoder().encode("secret words\r"));
  await until(() => far.typed() === "secret words\r", { everyMs: 5 });
  await far.write(new TextEncoder().encode("grüße\r\n"));
  await until(() => seen.text === "grüße\r\n", { everyMs: 5 });
  client.send(JSON.stringify({ type: "resize", columns: 100, rows: 30 }));
  await until(() => world.engine.asked.some(({ line }) => line.includes("resize?h=30&w=100")), { everyMs: 5 });
  for (const columns of [0, 501, 1.5, "80", null]) client.send(JSON.stringify({ type: "resize", columns, rows: 30 }));
  await world.node.clock.advance(seconds(7));
  far.end(3);
  expect(await hears("exit")).toEqual({ type: "exit", exit_code: 3 });
  await isClosed();
  expect(world.engine.asked.filter(({ line }) => line.includes("resize"))).toHaveLength(1);
  expect(await recorded(world, "container.exec_started")).toMatchObject([
    { name: "web", command: ["bash"], run_as: null },
  ]);
  expect(await recorded(world, "container.exec_ended")).toMatchObject([
    { reason: "exited", exit_code: 3, duration_s: 7 },
  ]);
  expect(JSON.stringify(world.node.events)).not.toContain("secret words");
  const { body } = await world.node.call("GET /api/audit/logs?limit=10", { headers: world.headers });
  expect(body.map(({ action }: { action: string }) => action)).toEqual(
    expect.arrayContaining(["container.exec_started", "container.exec_ended"]),
  );
});

test("a ticket opens one terminal, in its container, for its session, within 30 seconds", async () => {
  const world = await begin();
  const refused = async (terminal: ReturnType<typeof open>) => {
    expect(await terminal.hears("ended")).toMatchObject({ reason: "exec_ticket_used" });
    await terminal.isClosed();
  };
  const { ticket } = (await ask(world)).body;
  await open(world, ticket).hears("ready");
  await refused(open(world, ticket));
  await refused(open(world, "made-up"));
  await refused(open(world, (await ask(world)).body.ticket, "other"));
  const another = { ...world, headers: { authorization: `Bearer ${await world.node.tokenOf("admin")}` } };
  const theirs = (await ask(world)).body.ticket;
  await refused(open(another, theirs));
  // Whoever tried it has used it up.
  await refused(open(world, theirs));
  const late = (await ask(world)).body.ticket;
  await world.node.clock.advance(seconds(30));
  await refused(open(world, late));
  expect(world.engine.ends).toHaveLength(1);
  expect(await recorded(world, "container.exec_refused")).toHaveLength(6);
});

test("another page's script opens no socket with the cookie of an admin", async () => {
  const world = await begin();
  const { ticket } = (await ask(world)).body;
  const token = world.headers["authorization"]?.slice(7);
  const upgrade = (origin: string) =>
    fetch(`http://127.0.0.1:${world.listening.port}/ws/containers/web/exec?ticket=${ticket}`, {
      headers: {
        ...{ cookie: `access_token=${token}`, origin, connection: "Upgrade", upgrade: "websocket" },
        ...{ "sec-websocket-version": "13", "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==" },
      },
    });
  expect((await upgrade("http://evil.example")).status).toBe(403);
});

const NOT_OPENED: [why: string, prepare: (world: World) => unknown, body: object, code: string][] = [
  [
    "a container that stands still",
    ({ engine }) => Object.assign(engine.state, { running: false }),
    {},
    "exec_not_running",
  ],
  ["a container without a shell", ({ engine }) => Object.assign(engine.state, { shell: null }), {}, "exec_no_shell"],
  ["a user that is an option", () => {}, { user: "-x" }, "invalid_request"],
  ["no command", () => {}, { command: [] }, "invalid_request"],
];
for (const [why, prepare, body, code] of NOT_OPENED)
  test(`no terminal for ${why}`, async () => {
    const world = await begin();
    prepare(world);
    expect((await ask(world, body)).body).toMatchObject({ code });
  });

test("a command and a user of one's own need no shell", async () => {
  const world = await begin();
  world.engine.state.shell = null;
  const { body } = await ask(world, { command: ["redis-cli", "-n", "1"], user: "1000:1000" });
  expect(body.command).toEqual(["redis-cli", "-n", "1"]);
  await open(world, body.ticket).hears("ready");
  const made = world.engine.asked.map(({ body: text }) => text).findLast((text) => text.includes("redis-cli"));
  expect(JSON.parse(made ?? "{}")).toMatchObject({ Cmd: ["redis-cli", "-n", "1"], User: "1000:1000", Tty: true });
});

test("what Docker refuses after the ticket is told in its words", async () => {
  const world = await begin();
  const { body } = await ask(world);
  world.engine.state.refusal = "container web is paused";
  const ended = await open(world, body.ticket).hears("ended");
  expect(ended).toMatchObject({ reason: "exec_refused", message: expect.stringContaining("is paused. Correct") });
  expect(await recorded(world, "container.exec_ended")).toMatchObject([{ reason: "refused", exit_code: null }]);
});

test("a reader that stalls stops the program, and memory holds no more than a few windows", async () => {
  const world = await begin();
  const { client, seen, far } = await openTerminal(world);
  const all = 100_000_000;
  let widest = 0;
  const gap = () => {
    widest = Math.max(widest, far.taken() - seen.bytes);
  };
  const writing = far.write(new Uint8Array(all).fill(120));
  await until(() => seen.bytes === 262_144 && far.isBlocked(), { what: "the stall", everyMs: 5 });
  expect(seen.bytes).toBe(262_144);
  gap();
  // From now on it reads, and says so each time.
  let credited = 0;
  while (seen.bytes < all) {
    gap();
    if (seen.bytes > credited) client.send(JSON.stringify({ type: "credit", bytes: seen.bytes - credited }));
    credited = seen.bytes;
    await Bun.sleep(0);
  }
  await writing;
  expect(seen.bytes).toBe(all);
  expect(widest).toBeLessThan(4_000_000);
}, 60_000);

test("whoever types nothing is warned and closed after 15 minutes, and its programs are told", async () => {
  const world = await begin();
  const { client, far, told, hears, isClosed } = await openTerminal(world);
  await world.node.clock.advance(minutes(10));
  client.send(new TextEncoder().encode("x"));
  await until(() => far.typed() === "x", { everyMs: 5 });
  await world.node.clock.advance(minutes(13));
  expect(told.map(({ type }) => type)).toEqual(["ready"]);
  await world.node.clock.advance(minutes(1));
  expect(await hears("warning")).toEqual({ type: "warning", reason: "idle", ends_in_s: 60 });
  await world.node.clock.advance(minutes(1));
  expect(await hears("ended")).toMatchObject({ reason: "idle", message: expect.stringContaining("15 minutes") });
  await isClosed();
  expect(world.engine.asked.at(-1)?.line).toContain("json");
  expect(world.engine.asked.some(({ body }) => body.includes('"HUP"'))).toBe(true);
  expect(await recorded(world, "container.exec_ended")).toMatchObject([{ reason: "idle", exit_code: null }]);
});

test("who types on stays past the end of the access token, for two hours", async () => {
  const world = await begin();
  const { client, far, hears, seen } = await openTerminal(world);
  for (let round = 1; round <= 11; round += 1) {
    await world.node.clock.advance(minutes(10));
    client.send(new TextEncoder().encode("x"));
    await until(() => far.typed().length === round, { everyMs: 5 });
  }
  expect(seen.code).toBe(0);
  await world.node.clock.advance(minutes(9));
  expect(await hears("warning")).toEqual({ type: "warning", reason: "too_long", ends_in_s: 60 });
  await world.node.clock.advance(minutes(1));
  expect(await hears("ended")).toMatchObject({ reason: "too_long" });
});

const ENDS: [how: string, end: (world: World) => unknown][] = [
  ["is locked", ({ node, headers }) => node.call("POST /api/auth/lock", { headers })],
  ["is ended", ({ node, headers }) => node.call("POST /api/auth/logout", { headers })],
  ["loses its role", ({ node }) => node.ctx.db.raw.query("UPDATE users SET role = 'viewer'").run()],
];
for (const [how, end] of ENDS)
  test(`the terminal of a session that ${how} is closed`, async () => {
    const world = await begin();
    const { isClosed, seen } = await openTerminal(world);
    await end(world);
    // At the latest when it is looked at again, without which nobody would hear of a role that changed by itself.
    if (how === "loses its role") await world.node.clock.advance(seconds(15));
    await isClosed();
    expect(seen.code).toBe(1008);
    await until(async () => (await recorded(world, "container.exec_ended")).length > 0, { everyMs: 5 });
    expect(await recorded(world, "container.exec_ended")).toMatchObject([{ reason: "access_ended" }]);
  });

test("a page that leaves ends its programs; five terminals are enough for one user", async () => {
  const world = await begin();
  const { client } = await openTerminal(world);
  for (let more = 1; more < 5; more += 1) await openTerminal(world);
  const { body } = await ask(world);
  expect(body).toMatchObject({ code: "exec_too_many", params: { limit: 5 } });
  client.close();
  await until(async () => (await recorded(world, "container.exec_ended")).length === 1, { everyMs: 5 });
  expect(await recorded(world, "container.exec_ended")).toMatchObject([{ reason: "left" }]);
  await until(async () => (await ask(world)).status === 200, { everyMs: 20 });
});
