import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import fc from "fast-check";
import { createFakeClock, type FakeClock } from "../../../../tests/kit/fake-clock.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { until } from "../../../../tests/kit/until.ts";
import type { OpenPty, PtySize, PtySpec } from "../../../kernel/host/pty.ts";
import type { RunProgram } from "../../../kernel/host/run-program.ts";
import { createLog } from "../../../kernel/log.ts";
import { type Channel, createChannel } from "../../../lib/channel.ts";
import { minutes } from "../../../lib/duration.ts";
import { createIds } from "../../../lib/ids.ts";
import { createAnswerVerb } from "./answer-verb.ts";
import { openAuditFile } from "./audit-file.ts";
import { TALK_WINDOW, writeFrame } from "./frames.ts";
import { askHost } from "./host-client.ts";
import { createHostServer, type HostServer } from "./host-server.ts";
import type { TalkInput } from "./host-work.ts";

const VERSION = "1.2.3";
const question = (user = "root") => ({
  ...{ version: VERSION, verb: "terminal.open", by: "usr_1" },
  input: { user, columns: 80, rows: 24 },
});
const ACCOUNTS: Record<string, string> = {
  root: "root:x:0:0:root:/root:/bin/bash",
  ada: "ada:x:1000:1000::/home/ada:/bin/bash",
  toor: "toor:x:0:0::/root:/bin/bash",
  www: "www:x:33:33::/var/www:/usr/sbin/nologin",
};
const run: RunProgram = async (argv) => {
  const line = ACCOUNTS[argv.at(-1) ?? ""];
  return { code: line === undefined ? 2 : 0, signal: null, stdout: `${line ?? ""}\n`, stderr: "", cut: [] };
};

/** A terminal without a program: the test says what it says. */
interface FakePty {
  spec: PtySpec;
  said: Channel<Uint8Array>;
  typed: string;
  sizes: PtySize[];
  /** Bytes of it that were taken. */
  taken: number;
  isClosed: boolean;
  end(code: number | null): void;
}

let folder: string;
let path: string;
let clock: FakeClock;
let server: HostServer;
let ptys: FakePty[];
/** Programs take nothing of what is typed. */
let isStuck: boolean;
const asking: AbortController[] = [];

const open: OpenPty = (spec) => {
  const { promise: exited, resolve } = Promise.withResolvers<number | null>();
  const said = createChannel<Uint8Array>(Number.POSITIVE_INFINITY);
  const pty: FakePty = {
    ...{ spec, said, typed: "", sizes: [], taken: 0, isClosed: false },
    end(code) {
      said.close();
      resolve(code);
    },
  };
  ptys.push(pty);
  async function* output() {
    for await (const bytes of said) {
      yield bytes;
      pty.taken += bytes.byteLength;
    }
  }
  return {
    output: output(),
    exited,
    async write(bytes) {
      pty.typed += Buffer.from(bytes).toString();
      if (isStuck) await exited;
    },
    resize: (size) => void pty.sizes.push(size),
    close() {
      pty.isClosed = true;
      pty.end(null);
    },
  };
};

beforeEach(async () => {
  folder = makeScratch("host-talk");
  path = join(folder, "host.sock");
  clock = createFakeClock();
  ptys = [];
  isStuck = false;
  const log = createLog(clock, "error", () => {});
  const audit = openAuditFile(join(folder, "audit.jsonl"), clock);
  const answer = createAnswerVerb({
    ...{ audit, clock, ids: createIds(clock.now), log, run, open },
    docker: join(folder, "docker.sock"),
    host: { isLocked: () => false },
  });
  server = createHostServer({ answer, clock, log, version: VERSION, idleMs: minutes(5) });
  await server.listen({ path });
});
afterEach(() => {
  for (const stop of asking.splice(0)) stop.abort(new Error("the test is over"));
  server.leave();
  rmSync(folder, { recursive: true });
});

/** Asks for a terminal; `take` is called with what it says, and its end lets it say more. */
function begin(user = "root", take: (bytes: Uint8Array) => Promise<void> = async () => {}) {
  const stop = new AbortController();
  asking.push(stop);
  const input = createChannel<TalkInput>(100_000, stop.signal);
  const seen = { isOpen: false };
  const opened = (): void => {
    seen.isOpen = true;
  };
  const talk = { input, opened, output: take };
  const ended = askHost({ clock, path }, question(user), { onLine: () => {}, signal: stop.signal, talk }).then(
    (output) => ({ output }),
    (error: { code?: string; message: string }) => ({ refused: error.code ?? error.message }),
  );
  return { input, ended, seen, stop };
}

async function beginOpen(user?: string, take?: (bytes: Uint8Array) => Promise<void>) {
  const before = ptys.length;
  const asked = begin(user, take);
  const pty = await until(() => ptys[before], { what: "the terminal", everyMs: 2 });
  await until(() => asked.seen.isOpen, { what: "the word that it is open", everyMs: 2 });
  return { ...asked, pty };
}
const record = () => (existsSync(join(folder, "audit.jsonl")) ? readFileSync(join(folder, "audit.jsonl"), "utf8") : "");

test("bytes go both ways, sizes too, and the end says with what", async () => {
  let said = "";
  const { input, ended, pty } = await beginOpen("root", async (bytes) => {
    said += Buffer.from(bytes).toString();
  });
  expect(record()).toContain('"phase":"begun"');
  expect(pty.spec.argv.at(-1)).toBe("-l");
  input.push({ bytes: Buffer.from("x".repeat(20_000)) });
  input.push({ columns: 100, rows: 30 });
  input.push({ bytes: Buffer.from("\u0003") });
  await until(() => pty.typed.endsWith("\u0003"), { what: "what was typed", everyMs: 2 });
  expect(pty.typed).toHaveLength(20_001);
  expect(pty.sizes).toEqual([{ columns: 100, rows: 30 }]);
  pty.said.push(Buffer.from("last words"));
  pty.end(3);
  expect(await ended).toEqual({ output: { exit_code: 3 } });
  expect(said).toBe("last words");
  expect(record()).toContain('"phase":"done"');
});

test("an asker who does not read holds the program, not our memory", async () => {
  const gate = Promise.withResolvers<void>();
  let bytes = 0;
  const { pty, ended } = await beginOpen("root", async (piece) => {
    await gate.promise;
    bytes += piece.byteLength;
  });
  const piece = new Uint8Array(50_000);
  const count = 100;
  for (let at = 0; at < count; at++) pty.said.push(piece);
  await until(() => pty.taken >= TALK_WINDOW, { what: "the window to be full", everyMs: 2 });
  expect(pty.taken).toBeLessThanOrEqual(TALK_WINDOW + 2 * piece.byteLength);
  gate.resolve();
  pty.end(0);
  await ended;
  expect(bytes).toBe(count * piece.byteLength);
});

test("it is hung up when the asker goes, and when the role leaves, which does not wait for it", async () => {
  const first = await beginOpen();
  first.stop.abort(new Error("gone"));
  await until(() => first.pty.isClosed, { what: "the hang-up", everyMs: 2 });
  const second = await beginOpen("ada");
  await clock.advance(minutes(30));
  expect(second.pty.isClosed).toBe(false);
  server.leave();
  await server.left;
  expect(second.pty.isClosed).toBe(true);
});

test.each([
  ["nobody", "terminal_user_unknown"],
  ["toor", "terminal_user_refused"],
  ["www", "terminal_user_refused"],
  ["-c", "host_request_refused"],
])("no terminal opens as %s", async (user, code) => {
  expect(await begin(user).ended).toEqual({ refused: code });
  expect(ptys).toEqual([]);
});

test("whatever else is said to it, the terminal gets what was typed in turn, or nothing more", async () => {
  const frame = fc.oneof(
    fc.record({ say: fc.constant("bytes"), bytes: fc.base64String({ maxLength: 40 }) }),
    fc.record({ say: fc.constant("size"), columns: fc.integer({ min: 0, max: 600 }), rows: fc.constant(24) }),
    fc.record({ say: fc.constant("credit"), bytes: fc.integer({ min: -5, max: TALK_WINDOW + 5 }) }),
    fc.jsonValue({ maxDepth: 2 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(frame, { maxLength: 8 }), fc.uint8Array({ maxLength: 20 }), async (frames, noise) => {
      await clock.advance(1_000);
      const lines = frames.map((each) => `${JSON.stringify(each)}\n`).join("");
      const before = ptys.length;
      await new Promise<void>((resolve) => {
        const socket = connect({ path }, () => {
          const text = Buffer.from(writeFrame(question()) + lines);
          socket.end(Buffer.concat([text, noise, Buffer.from("\n")]));
        });
        socket.on("error", () => {});
        socket.on("data", () => {});
        socket.on("close", () => resolve());
      });
      await until(() => ptys.slice(before).every(({ isClosed }) => isClosed), { what: "the hang-up", everyMs: 2 });
      for (const { sizes } of ptys.slice(before))
        for (const { columns } of sizes) expect(columns >= 1 && columns <= 500).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test("who sends more than there was credit for is hung up", async () => {
  isStuck = true;
  const socket = connect({ path });
  let isClosed = false;
  socket.on("error", () => {});
  socket.on("close", () => {
    isClosed = true;
  });
  socket.write(writeFrame(question()));
  const pty = await until(() => ptys.at(-1), { what: "the terminal", everyMs: 2 });
  const line = writeFrame({ say: "bytes", bytes: Buffer.alloc(8_000, "x").toString("base64") });
  let sent = 0;
  while (!isClosed && sent < 4 * TALK_WINDOW) {
    socket.write(line);
    sent += 8_000;
    await new Promise((resolve) => setImmediate(resolve));
  }
  await until(() => isClosed && pty.isClosed, { what: "the hang-up", everyMs: 2 });
  expect(pty.typed).toHaveLength(8_000);
});
