import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { createFakeClock, type FakeClock } from "../../../../tests/kit/fake-clock.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { until } from "../../../../tests/kit/until.ts";
import type { RunProgram } from "../../../kernel/host/run-program.ts";
import { createLog } from "../../../kernel/log.ts";
import { minutes, seconds } from "../../../lib/duration.ts";
import { createIds } from "../../../lib/ids.ts";
import { type AnswerVerb, createAnswerVerb } from "./answer-verb.ts";
import { openAuditFile } from "./audit-file.ts";
import { FRAME_BYTES, writeFrame } from "./frames.ts";
import { askHost } from "./host-client.ts";
import { createHostServer, type HostServer } from "./host-server.ts";
import { HOST_VERBS, hostFail } from "./verbs.ts";

const VERSION = "1.2.3";
const QUESTION = { version: VERSION, verb: "unit.state", by: "usr_1", input: { unit: "caddy.service" } };
const quiet = { onLine: () => {} };

let folder: string;
let path: string;
let clock: FakeClock;
let servers: HostServer[];
beforeEach(() => {
  folder = makeScratch("host-socket");
  path = join(folder, "host.sock");
  clock = createFakeClock();
  servers = [];
});
afterEach(async () => {
  for (const server of servers) server.leave();
  rmSync(folder, { recursive: true });
});

async function listen(answer: AnswerVerb, version = VERSION): Promise<HostServer> {
  const log = createLog(clock, "error", () => {});
  const server = createHostServer({ answer, clock, log, version, idleMs: minutes(5) });
  await server.listen({ path });
  servers.push(server);
  return server;
}

const ask = (question = QUESTION, work: { onLine(line: string): void; signal?: AbortSignal } = quiet) =>
  askHost({ clock, path }, question, work);

/** What comes back for these bytes until the other side ends; `isWhole` says whether we wait for that or go ourselves. */
function say(bytes: Uint8Array | string, isWhole: boolean): Promise<string> {
  return new Promise((resolve) => {
    let said = "";
    const socket = connect({ path });
    socket.on("connect", () => socket.write(bytes, () => isWhole || socket.end()));
    socket.on("data", (chunk) => {
      said += String(chunk);
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(said));
  });
}

/** Connections that say nothing. */
function hold(count: number): Promise<Socket[]> {
  const one = () =>
    new Promise<Socket>((resolve) => {
      const socket = connect({ path }, () => resolve(socket));
      socket.on("error", () => {});
    });
  return Promise.all(Array.from({ length: count }, one));
}

describe("asked as it should be", () => {
  test("it tells the lines and then the answer, and why not", async () => {
    const said: string[] = [];
    await listen(async ({ verb, input, by }, { onLine }) => {
      if (verb === "unit.set") throw hostFail("unit_unknown", { unit: "caddy.service" });
      if (verb === "packages.state") throw new Error("a fault of ours");
      onLine("one");
      onLine("two");
      return { verb, input, by };
    });
    expect(await ask(QUESTION, { onLine: (line) => void said.push(line) })).toEqual({
      verb: "unit.state",
      input: { unit: "caddy.service" },
      by: "usr_1",
    });
    expect(said).toEqual(["one", "two"]);
    await expect(ask({ ...QUESTION, verb: "unit.set" })).rejects.toMatchObject({
      code: "unit_unknown",
      status: 409,
      params: { unit: "caddy.service" },
    });
    const inside = ask({ ...QUESTION, verb: "packages.state" });
    await expect(inside).rejects.toMatchObject({
      code: "host_role_unavailable",
      params: { reason: "it failed inside" },
    });
  });

  test("it leaves when it has been idle, and not while it works", async () => {
    const { promise: isDone, resolve: finish } = Promise.withResolvers<string>();
    const server = await listen(() => isDone);
    let hasLeft = false;
    void server.left.then(() => {
      hasLeft = true;
    });
    await clock.advance(minutes(4));
    const asking = ask();
    const begun = Promise.withResolvers<void>();
    const watching = connect({ path }, () => watching.write(writeFrame(QUESTION)));
    watching.on("data", () => begun.resolve());
    await begun.promise;
    await clock.advance(minutes(20));
    expect(hasLeft).toBe(false);
    finish("ok");
    expect(await asking).toBe("ok");
    await new Promise((resolve) => watching.on("close", resolve));
    await until(
      async () => {
        await clock.advance(minutes(5));
        return hasLeft;
      },
      { timeoutMs: 20_000, everyMs: 10, what: "the role to leave" },
    );
    await expect(ask()).rejects.toMatchObject({ code: "host_role_unavailable" });
  });

  test.each([
    ["told to leave", (server: HostServer) => server.leave()],
    ["idle for long", () => clock.advance(minutes(30))],
    ["asked by another version", () => ask({ ...QUESTION, version: "1.2.4" }).catch(() => null)],
  ])("it does not leave in the middle of work whose asker has gone: %s", async (_, push) => {
    const { promise: isDone, resolve: finish } = Promise.withResolvers<string>();
    const { promise: isBegun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: isGone, resolve: gone } = Promise.withResolvers<void>();
    const server = await listen((__, { signal }) => {
      signal?.addEventListener("abort", () => gone());
      begin();
      return isDone;
    });
    let hasLeft = false;
    void server.left.then(() => {
      hasLeft = true;
    });
    const stop = new AbortController();
    const asking = ask(QUESTION, { ...quiet, signal: stop.signal }).catch(() => null);
    await isBegun;
    stop.abort(new Error("the node stops"));
    await Promise.all([asking, isGone]);
    await push(server);
    // Whoever asks meanwhile learns that there is work, in either version, and the role still works.
    const other = ask({ ...QUESTION, version: "1.2.4" });
    await expect(other).rejects.toMatchObject({ code: "host_role_busy" });
    expect(hasLeft).toBe(false);
    finish("ok");
    await server.left;
  });

  test("one of another version answers what it has, leaves, and the new one is asked", async () => {
    const old = await listen(async () => "old", "1.2.2");
    void old.left.then(async () => {
      if (existsSync(path)) rmSync(path);
      await listen(async () => "new");
    });
    const asking = ask();
    let answer: unknown;
    void asking.then((value) => {
      answer = value;
    });
    await until(
      async () => {
        await clock.advance(100);
        return answer !== undefined;
      },
      { timeoutMs: 20_000, everyMs: 10, what: "the new one" },
    );
    expect(answer).toBe("new");
  });

  test("an asker who does not read loses lines, not the answer", async () => {
    const line = "x".repeat(1_000);
    await listen(async (_, { onLine }) => {
      for (let count = 0; count < 20_000; count++) onLine(line);
      return "done";
    });
    const said = await say(writeFrame(QUESTION), true);
    const events = said.trim().split("\n");
    expect(JSON.parse(events.at(-1) ?? "")).toEqual({ event: "done", output: "done" });
    // 20 MB were told; what piles up is bounded.
    expect(said.length).toBeLessThan(2_000_000);
  });
});

describe("asked by anybody else", () => {
  const unasked: AnswerVerb = () => {
    throw new Error("nobody may get here");
  };

  test("no more than sixteen at a time", async () => {
    await listen(async () => "ok");
    const held = await hold(16);
    // In order: the seventeenth is met when sixteen are there. It is far from being one too many for its pace.
    expect(await say(writeFrame(QUESTION), true)).toContain("host_role_busy");
    for (const socket of held) socket.destroy();
    await clock.advance(seconds(60));
    await until(async () => (await ask().catch(() => "")) === "ok", {
      timeoutMs: 20_000,
      everyMs: 20,
      what: "room again",
    });
  });

  test("no more often than it can answer", async () => {
    await listen(async () => "ok");
    for (let count = 0; count < 60; count++) expect(await ask()).toBe("ok");
    await expect(ask()).rejects.toMatchObject({ code: "host_role_busy", status: 503 });
    await clock.advance(seconds(1));
    expect(await ask()).toBe("ok");
  });

  test("half a question is not waited for", async () => {
    await listen(unasked);
    const [socket] = await hold(1);
    socket?.write(writeFrame(QUESTION).slice(0, 20));
    let isClosed = false;
    socket?.on("close", () => {
      isClosed = true;
    });
    await until(
      async () => {
        await clock.advance(seconds(5));
        return isClosed;
      },
      { timeoutMs: 20_000, everyMs: 10, what: "the connection to be closed" },
    );
  });

  test("a question that is too long, too deep or of another shape is refused", async () => {
    await listen(unasked);
    const deep = `${'{"version":"1.2.3","verb":"unit.state","by":"usr_1","input":'}${"[".repeat(5_000)}${"]".repeat(5_000)}}`;
    for (const line of [
      "hello",
      "GET / HTTP/1.1",
      "null",
      "[]",
      "{}",
      deep,
      JSON.stringify({ ...QUESTION, root: true }),
      JSON.stringify({ ...QUESTION, verb: 1 }),
      JSON.stringify({ ...QUESTION, verb: "v".repeat(101) }),
    ])
      expect(await say(`${line}\n`, true)).toContain("host_request_refused");
    expect(await say("x".repeat(20_000), true)).toContain("too long");
    expect(await say(Buffer.alloc(8_000_000, "x"), true).catch(() => "cut")).not.toContain("begun");
  });

  test("whatever is sent, nothing but a verb is ever done", async () => {
    const ran: string[] = [];
    const run: RunProgram = async (argv) => {
      ran.push(argv.join(" "));
      return { code: 1, signal: null, stdout: "", stderr: "", cut: [] };
    };
    const audit = openAuditFile(join(folder, "audit.jsonl"), clock);
    const log = createLog(clock, "error", () => {});
    const host = { isLocked: () => false };
    const kernel = { "kernel/core_pattern": "core\n", "vm/page-cluster": "3\n", "vm/swappiness": "60\n" };
    mkdirSync(join(folder, "etc/sysctl.d"), { recursive: true });
    for (const [name, value] of Object.entries(kernel)) {
      mkdirSync(dirname(join(folder, "proc/sys", name)), { recursive: true });
      writeFileSync(join(folder, "proc/sys", name), value);
    }
    const docker = join(folder, "docker.sock");
    await listen(createAnswerVerb({ audit, clock, docker, host, ids: createIds(clock.now), log, root: folder, run }));

    const units = fc.record({ unit: fc.constantFrom("caddy.service", "ssh.service", "-H") });
    const packages = fc.record({
      packages: fc.uniqueArray(fc.constantFrom("caddy", "lynis", "sudo", "-o", "caddy=1"), { maxLength: 3 }),
    });
    const terminals = fc.record({
      user: fc.constantFrom("root", "ada", "-c", "root;id", "../root"),
      columns: fc.constantFrom(80, 0, 501),
      rows: fc.constant(24),
    });
    const sysctls = fc.record({
      key: fc.constantFrom("vm.swappiness", "vm.page-cluster", "kernel.core_pattern", "vm/../kernel/core_pattern"),
      value: fc.oneof(fc.integer({ min: -10, max: 300 }), fc.constantFrom(null, 1.5, "60", "|/bin/sh")),
    });
    const names = fc.constantFrom("0123456789abcdef-snp_01A", "0123456789abcdef-snp_../..", "..", "@home", "-c");
    const snapshots = fc.record({ name: names, data_root: fc.constantFrom("/var/lib/docker", "/", "/home", "docker") });
    const verb = fc.constantFrom(...Object.keys(HOST_VERBS), "shell", "__proto__");
    const input = fc.oneof(units, packages, terminals, sysctls, snapshots, fc.jsonValue({ maxDepth: 3 }));
    const whole = fc
      .oneof(
        fc.record({ verb: fc.constant("unit.state"), by: fc.constant("usr_1"), input: units }),
        fc.record({
          verb: fc.constantFrom("packages.state", "packages.install"),
          by: fc.constant("a"),
          input: packages,
        }),
        fc.record({ verb: fc.constant("sysctl.set"), by: fc.constant("usr_1"), input: sysctls }),
        fc.record({ verb: fc.constant("snapshot.drop"), by: fc.constant("op_1"), input: snapshots }),
        fc.record({ verb: fc.constant("terminal.open"), by: fc.constant("usr_1"), input: terminals }),
        fc.record({ verb: fc.oneof(verb, fc.string()), by: fc.constantFrom("usr_1", "", "a b"), input }),
      )
      .map((question) => Buffer.from(`${JSON.stringify({ version: VERSION, ...question })}\n`));
    // Behind the version: another one is told to ask again, and that is another test.
    const kept = JSON.stringify({ version: VERSION }).length;
    const damaged = fc
      .tuple(whole, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 }))
      .map(([bytes, places]) => {
        const copy = Buffer.from(bytes);
        for (const [at, value] of places) copy[kept + (at % (copy.length - kept))] = value;
        return copy;
      });
    const half = fc.tuple(whole, fc.nat()).map(([bytes, at]) => bytes.subarray(0, at % bytes.length));
    const noise = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.concat([bytes, Buffer.from("\n")]));
    const twice = fc.tuple(whole, whole).map((both) => Buffer.concat(both));
    await fc.assert(
      fc.asyncProperty(fc.oneof(whole, damaged, half, noise, twice), async (bytes) => {
        await clock.advance(seconds(1));
        const said = await say(bytes, bytes.includes("\n"));
        // Each word back is one of ours, and at most one question is answered.
        const events = said.split("\n").slice(0, -1);
        expect(events.length).toBeLessThanOrEqual(2);
        for (const event of events) expect(JSON.parse(event).event).toBeOneOf(["begun", "done", "failed"]);
      }),
      { numRuns: 400 },
    );
    const allowed =
      /^(getent passwd (root|ada)|systemctl show --property=\S+ -- caddy\.service|dpkg-query --show \S+ -- (caddy|lynis)( (caddy|lynis))?|apt-cache policy -- (caddy|lynis)( (caddy|lynis))?|apt-get .* (update|(install|remove) .*-- (caddy|lynis)( (caddy|lynis))?))$/s;
    expect(ran.filter((argv) => !allowed.test(argv))).toEqual([]);
    expect(ran.length).toBeGreaterThan(0);
    const read = (path: string) => readFileSync(join(folder, path), "utf8");
    expect(read("proc/sys/kernel/core_pattern")).toBe("core\n");
    for (const [path, most] of [["vm/swappiness", 200] as const, ["vm/page-cluster", 8] as const])
      expect(Number(read(`proc/sys/${path}`))).toBeWithin(0, most + 1);
    expect(["", "90-orrery.conf"]).toContain(readdirSync(join(folder, "etc/sysctl.d")).join());
    await clock.advance(seconds(10));
    expect(await ask()).toMatchObject({ exists: false });
  }, 60_000);
});

describe("the side that asks", () => {
  /** A server that does what it likes. */
  async function foreign(serve: (socket: Socket) => void): Promise<void> {
    const server = createServer((socket) => {
      socket.on("error", () => {});
      serve(socket);
    });
    await new Promise<void>((resolve) => void server.listen({ path }, resolve));
  }
  const failure = (asking: Promise<unknown>) => asking.catch((error: unknown) => error);

  test("says what to do when nobody is there", async () => {
    expect(await failure(ask())).toMatchObject({
      code: "host_role_unavailable",
      status: 503,
      params: { reason: "its socket is not there" },
    });
  });

  test("does not wait for one that dies, babbles, or never begins", async () => {
    await foreign((socket) => void socket.on("data", () => socket.destroy()));
    expect(await failure(ask())).toMatchObject({ params: { reason: "it ended before it had answered" } });
    rmSync(path);
    await foreign((socket) => void socket.write("hello\n"));
    expect(await failure(ask())).toMatchObject({ params: { reason: "it does not speak as it should" } });
    rmSync(path);
    await foreign((socket) => void socket.write("x".repeat(FRAME_BYTES.event * 2)));
    expect(await failure(ask())).toMatchObject({ params: { reason: "it says more than it should" } });
    rmSync(path);
    const connected = Promise.withResolvers<void>();
    await foreign(() => connected.resolve());
    const waiting = failure(ask());
    await connected.promise;
    await clock.advance(seconds(30));
    expect(await waiting).toMatchObject({ params: { reason: "it did not begin within 30 seconds" } });
  });

  test("goes away when it is told to, and the other side knows", async () => {
    const { promise: isGone, resolve: gone } = Promise.withResolvers<void>();
    const { promise: isBegun, resolve: begin } = Promise.withResolvers<void>();
    await listen((_, { signal }) => {
      signal?.addEventListener("abort", () => gone());
      begin();
      return new Promise(() => {});
    });
    const stop = new AbortController();
    const asking = failure(ask(QUESTION, { ...quiet, signal: stop.signal }));
    await isBegun;
    stop.abort(new Error("stopped"));
    expect(await asking).toMatchObject({ message: "stopped" });
    await isGone;
    expect(await failure(ask(QUESTION, { ...quiet, signal: AbortSignal.abort(new Error("before")) }))).toMatchObject({
      message: "before",
    });
  });
});
