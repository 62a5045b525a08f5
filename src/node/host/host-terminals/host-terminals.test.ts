import { afterEach, expect, test } from "bun:test";
import { addAccount, PASSWORD } from "../../../../tests/kit/accounts.ts";
import type { Listening } from "../../../../tests/kit/listening.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { until } from "../../../../tests/kit/until.ts";
import { AppError } from "../../../kernel/http/errors.ts";
import { hours, minutes, seconds } from "../../../lib/duration.ts";
import type { AskOptions, HostRole } from "../host-role/verbs.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A shell of the server that the test speaks for. */
interface FarShell {
  input: { user: string; columns: number; rows: number };
  by: string;
  typed: string;
  sizes: object[];
  isOver: boolean;
  say(text: string): Promise<void>;
  end(code: number): void;
  fail(error: Error): void;
}

/** A host role that opens no real terminal; `refusal` is what it says instead. */
function createFakeShells(): { role: HostRole; shells: FarShell[]; refusal: { is: Error | null } } {
  const shells: FarShell[] = [];
  const refusal: { is: Error | null } = { is: null };
  async function ask(_verb: string, input: FarShell["input"], { by, talk, signal }: AskOptions) {
    if (refusal.is !== null) throw refusal.is;
    if (talk === undefined) throw new Error("nobody to talk to");
    const { promise, resolve, reject } = Promise.withResolvers<{ exit_code: number }>();
    const shell: FarShell = {
      ...{ input, by, typed: "", sizes: [], isOver: false },
      say: (text) => talk.output(Buffer.from(text)),
      end: (exit_code) => resolve({ exit_code }),
      fail: reject,
    };
    signal?.addEventListener("abort", () => {
      shell.isOver = true;
      reject(signal.reason);
    });
    shells.push(shell);
    talk.opened();
    void (async () => {
      for await (const each of talk.input)
        if ("bytes" in each) shell.typed += Buffer.from(each.bytes).toString();
        else shell.sizes.push(each);
    })();
    return await promise;
  }
  return { role: { ask } as unknown as HostRole, shells, refusal };
}

interface World extends ReturnType<typeof createFakeShells> {
  node: TestNode;
  listening: Listening;
  headers: Record<string, string>;
  sessionId: string;
}

async function begin(config: Record<string, string> = {}, isReal = false): Promise<World> {
  const fake = createFakeShells();
  const node = createTestNode(config, undefined, isReal ? {} : { hostRole: fake.role });
  const listening = node.listen();
  closers.push(
    () => node.close(),
    () => listening.stop(),
  );
  const user = await addAccount(node, "ada");
  const { session_id } = node.ctx.sessions.begin(user.id, { ip: "127.0.0.1", device: "test" });
  const headers = { authorization: `Bearer ${await node.ctx.sessions.tokens.sign(user.id, session_id)}` };
  return { ...fake, node, listening, headers, sessionId: session_id };
}

const choose = ({ node, headers }: World, body: object) =>
  node.call("PUT /api/host/terminal", { headers, body: { password: PASSWORD, ...body } });
const ask = ({ node, headers }: World) => node.call("POST /api/host/terminal/ticket", { headers });

function open({ listening, headers }: World, ticket: string, size = "") {
  const client = new WebSocket(`ws://127.0.0.1:${listening.port}/ws/host/terminal?ticket=${ticket}${size}`, {
    headers,
  });
  client.binaryType = "arraybuffer";
  const told: Record<string, unknown>[] = [];
  const seen = { text: "", code: 0 };
  client.onmessage = ({ data }) => {
    if (typeof data === "string") told.push(JSON.parse(data));
    else seen.text += Buffer.from(data).toString();
  };
  client.onclose = ({ code }) => {
    seen.code = code;
  };
  closers.push(() => client.close());
  const hears = (type: string) => until(() => told.find((each) => each["type"] === type), { what: type, everyMs: 5 });
  const isClosed = () => until(() => seen.code !== 0, { what: "the close", everyMs: 5 });
  const type = (text: string) => client.send(new TextEncoder().encode(text));
  return { client, told, seen, hears, isClosed, type };
}

async function openTerminal(world: World, size = "") {
  const before = world.shells.length;
  const terminal = open(world, (await ask(world)).body.ticket, size);
  await terminal.hears("ready");
  const shell = await until(() => world.shells[before], { what: "the shell", everyMs: 5 });
  return { ...terminal, shell };
}

const recorded = async ({ node }: World, name: string) => {
  await node.ctx.bus.idle();
  return node.events.filter((event) => event.name === name).map(({ data }) => data);
};

test("it is off until an admin who proves it says as whom, and only people may", async () => {
  const world = await begin();
  const { node, headers } = world;
  expect((await node.call("GET /api/host/terminal", { headers })).body).toMatchObject({
    ...{ mode: "off", user: null, run_as: null, place: "server", may_be_root: true },
  });
  expect((await ask(world)).body.code).toBe("host_terminal_off");
  expect(await recorded(world, "host.terminal_refused")).toMatchObject([{ code: "host_terminal_off" }]);
  const refused = async (body: object) => (await choose(world, body)).body.code;
  expect(await refused({ mode: "root", password: undefined })).toBe("proof_required");
  expect(await refused({ mode: "root", password: "a guess of somebody" })).toBe("proof_wrong");
  expect(await refused({ mode: "unprivileged" })).toBe("host_terminal_no_user");
  expect(await refused({ mode: "unprivileged", user: "root" })).toBe("host_terminal_no_user");
  expect(await refused({ mode: "unprivileged", user: "a b" })).toBe("invalid_request");
  expect((await node.call("PUT /api/host/terminal", { as: "member", body: { mode: "root" } })).status).toBe(403);
  expect((await node.call("GET /api/host/terminal", { headers })).body.mode).toBe("off");
  expect((await choose(world, { mode: "unprivileged", user: "deploy" })).body).toMatchObject({
    ...{ mode: "unprivileged", user: "deploy", run_as: "deploy" },
  });
  expect((await choose(world, { mode: "root" })).body).toMatchObject({ user: "deploy", run_as: "root" });
  expect(await recorded(world, "host.terminal_set")).toMatchObject([{ run_as: "deploy" }, { run_as: "root" }]);
});

test("what is typed arrives, what is said comes back, and start and end are on record", async () => {
  const world = await begin();
  await choose(world, { mode: "unprivileged", user: "deploy" });
  const { seen, hears, isClosed, shell, client, type } = await openTerminal(world, "&cols=120&rows=40");
  expect(shell.input).toEqual({ user: "deploy", columns: 120, rows: 40 });
  expect(shell.by).toMatch(/^usr_/);
  type("secret words\r");
  await until(() => shell.typed === "secret words\r", { everyMs: 5 });
  await shell.say("grüße\r\n");
  await until(() => seen.text === "grüße\r\n", { everyMs: 5 });
  client.send(JSON.stringify({ type: "resize", columns: 100, rows: 30 }));
  for (const columns of [0, 501, 1.5, "80", null]) client.send(JSON.stringify({ type: "resize", columns, rows: 30 }));
  type("x");
  await until(() => shell.typed.endsWith("x"), { everyMs: 5 });
  expect(shell.sizes).toEqual([{ columns: 100, rows: 30 }]);
  shell.end(3);
  expect(await hears("exit")).toEqual({ type: "exit", exit_code: 3 });
  await isClosed();
  expect(await recorded(world, "host.terminal_started")).toMatchObject([{ run_as: "deploy", ip: "127.0.0.1" }]);
  expect(await recorded(world, "host.terminal_ended")).toMatchObject([{ reason: "exited", exit_code: 3 }]);
  expect(JSON.stringify(world.node.events)).not.toContain("secret");
});

test("a ticket opens one terminal, for its session, within 30 seconds, while the terminal is on", async () => {
  const world = await begin();
  await choose(world, { mode: "root" });
  const refused = async (ticket: string, code: string) => {
    const terminal = open(world, ticket);
    await terminal.isClosed();
    expect(terminal.told).toMatchObject([{ type: "ended", reason: code }]);
  };
  const { ticket } = (await ask(world)).body;
  await open(world, ticket).hears("ready");
  await refused(ticket, "exec_ticket_used");
  await refused("made-up", "exec_ticket_used");
  const late = (await ask(world)).body.ticket;
  await world.node.clock.advance(seconds(31));
  await refused(late, "exec_ticket_used");
  const early = (await ask(world)).body.ticket;
  await choose(world, { mode: "off" });
  await refused(early, "host_terminal_off");
  expect(world.shells).toHaveLength(1);
});

test("it ends when nobody types, when it is turned off, when the client leaves and when the host role is gone", async () => {
  const world = await begin();
  const { node } = world;
  await choose(world, { mode: "root" });
  const off = await openTerminal(world);
  await choose(world, { mode: "unprivileged", user: "deploy" });
  expect(await off.hears("ended")).toMatchObject({ reason: "turned_off" });
  const left = await openTerminal(world);
  left.client.close();
  await until(() => left.shell.isOver, { what: "the shell's end", everyMs: 5 });
  const lost = await openTerminal(world);
  lost.shell.fail(new Error("its socket is gone"));
  expect(await lost.hears("ended")).toMatchObject({ reason: "host_lost" });
  const idle = await openTerminal(world);
  await node.clock.advance(minutes(14));
  expect(await idle.hears("warning")).toMatchObject({ reason: "idle", ends_in_s: 60 });
  await node.clock.advance(minutes(1));
  expect(await idle.hears("ended")).toMatchObject({ reason: "idle" });
  await until(() => idle.shell.isOver, { what: "the shell's end", everyMs: 5 });
  await until(async () => (await recorded(world, "host.terminal_ended")).length === 4, {
    what: "the ends",
    everyMs: 5,
  });
  expect((await recorded(world, "host.terminal_ended")).map((each) => (each as { reason: string }).reason)).toEqual([
    ...["turned_off", "left", "host_lost", "idle"],
  ]);
});

test("a session that ends takes its terminal with it", async () => {
  const world = await begin();
  await choose(world, { mode: "root" });
  const { isClosed, shell } = await openTerminal(world);
  world.node.ctx.sessions.revoke(world.sessionId);
  await world.node.clock.advance(seconds(15));
  await isClosed();
  await until(() => shell.isOver, { what: "the shell's end", everyMs: 5 });
});

test("five of one user, and two hours at most", async () => {
  const world = await begin();
  await choose(world, { mode: "root" });
  const first = await openTerminal(world);
  for (let count = 1; count < 5; count++) await openTerminal(world);
  expect((await ask(world)).body).toMatchObject({ code: "exec_too_many", params: { limit: 5 } });
  for (let at = 0; at < hours(2); at += minutes(10)) {
    first.type(" ");
    await until(() => first.shell.typed.length === at / minutes(10) + 1, { everyMs: 5 });
    await world.node.clock.advance(minutes(10));
  }
  expect(await first.hears("ended")).toMatchObject({ reason: "too_long" });
});

test("what the host role refuses is told in its words", async () => {
  const world = await begin();
  await choose(world, { mode: "unprivileged", user: "nobody-here" });
  world.refusal.is = new AppError("terminal_user_unknown", [409, "This server has no user nobody-here."], {});
  const terminal = open(world, (await ask(world)).body.ticket);
  await terminal.isClosed();
  expect(terminal.told).toMatchObject([{ type: "ended", reason: "terminal_user_unknown" }]);
  expect(await recorded(world, "host.terminal_ended")).toMatchObject([{ reason: "refused" }]);
});

test("without a host role the shell is one of the user that Orrery is", async () => {
  const world = await begin({ host_socket: "" }, true);
  const isRoot = process.getuid?.() === 0;
  const user = Bun.spawnSync(["id", "-un"]).stdout.toString().trim();
  const { body } = await choose(world, isRoot ? { mode: "root" } : { mode: "unprivileged", user });
  expect(body.place).not.toBe("server");
  expect(body.may_be_root).toBe(isRoot);
  const terminal = open(world, (await ask(world)).body.ticket, "&cols=100&rows=30");
  expect(await terminal.hears("ready")).toMatchObject({ run_as: user });
  terminal.type("stty size; id -un; exit 4\r");
  expect(await terminal.hears("exit")).toEqual({ type: "exit", exit_code: 4 });
  expect(terminal.seen.text).toContain("30 100");
  expect(terminal.seen.text).toContain(`\n${user}`);
});
