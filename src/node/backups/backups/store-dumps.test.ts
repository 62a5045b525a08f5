import { expect, test } from "bun:test";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { minutes } from "../../../lib/duration.ts";
import type { EngineSession } from "../engine/index.ts";
import type { Own } from "./needs.ts";
import { storeDumps } from "./store-dumps.ts";

const GIB = 1024 ** 3;

/** A node with one app whose database writes what the test wants, and a target that takes whatever comes. */
function startDump(bytes: (ended: AbortSignal) => AsyncIterable<Uint8Array>) {
  const clock = createFakeClock();
  const told: string[][] = [];
  let isOpen = false;
  const engine = {
    async openExec(_: string, __: string[], signal: AbortSignal) {
      isOpen = true;
      return { bytes: bytes(signal), end: async () => ({ exit_code: 0, output: "" }) };
    },
    async execInside(_: string, argv: string[]) {
      told.push(argv.slice(-2));
      return { exit_code: 0, output: "" };
    },
  };
  const own = {
    clock,
    signal: new AbortController().signal,
    apps: {
      get: () => ({ name: "wiki" }),
      backupOf: () => ({ dumps: [] }),
      imagesOf: () => [{ name: "db", image: "postgres:17" }],
      listServices: () => [{ name: "db", state: "running", container_id: "c1" }],
      diskBytes: () => 1000,
    },
    runtime: { engine: () => engine, requireEngine: () => engine },
  } as unknown as Own;
  let stored = 0;
  const session = {
    async storeStream(source: AsyncIterable<Uint8Array>) {
      for await (const piece of source) stored += piece.length;
      return { size: stored, added: stored, list: [], sha256: "" };
    },
  } as unknown as EngineSession;
  const cancel = new AbortController();
  const end = storeDumps(own, session, "app_wiki", () => {}, cancel.signal).then(
    ({ parts, notes }) => ({ parts: parts.length, notes }),
    (error: Error) => error.message,
  );
  /** Waits until the database is waited for, after what it says at once. */
  const opened = async (said: number) => {
    while (!isOpen || stored < said) await Promise.resolve();
    for (let turn = 0; turn < 50; turn++) await Promise.resolve();
  };
  return { clock, end, told, cancel, opened, stored: () => stored };
}

const SAID = Buffer.from("SELECT 1;");
/** Says something, and then nothing more until nobody listens. */
async function* hangs(ended: AbortSignal) {
  yield SAID;
  await new Promise((resolve) => ended.addEventListener("abort", resolve));
}
const KILLED = [["ORRERY_DUMP=db.sql", "KILL"]];

test("a database that says nothing for ten minutes is left to its files, and its program ended", async () => {
  const dump = startDump(hangs);
  await dump.opened(SAID.length);
  for (let minute = 0; minute < 11; minute++) await dump.clock.advance(minutes(1));
  expect(await dump.end).toEqual({
    parts: 0,
    notes: ["The database in db of wiki could not be dumped (it wrote nothing for 10 minutes); its files were copied."],
  });
  expect(dump.told).toEqual(KILLED);
});

test("one that always says a little is waited for two hours in all", async () => {
  const dump = startDump(async function* (ended) {
    while (!ended.aborted) {
      await dump.clock.sleep(minutes(9), ended);
      yield Buffer.from("-");
    }
  });
  await dump.opened(0);
  for (let turn = 0; turn < 15; turn++) await dump.clock.advance(minutes(9));
  expect(await dump.end).toMatchObject({ notes: [expect.stringContaining("it took longer than 2 hours")] });
  expect(dump.told).toEqual(KILLED);
});

test("one that never ends does not fill the target: it has no more than its files can be", async () => {
  const piece = Buffer.alloc(64 * 1024 * 1024);
  const dump = startDump(async function* () {
    for (;;) yield piece;
  });
  expect(await dump.end).toMatchObject({ notes: [expect.stringContaining("it wrote more than its files can hold")] });
  expect(dump.told).toEqual(KILLED);
  expect(dump.stored()).toBeLessThanOrEqual(GIB + 1000 * 10);
});

test("a cancelled backup waits for no database", async () => {
  const dump = startDump(hangs);
  await dump.opened(SAID.length);
  dump.cancel.abort(new Error("cancelled"));
  expect(await dump.end).toBe("cancelled");
  expect(dump.told).toEqual(KILLED);
});

test("one that ends well is a part of the backup, and nothing is ended", async () => {
  const dump = startDump(async function* () {
    yield Buffer.from("SELECT 1;");
  });
  expect(await dump.end).toEqual({ parts: 1, notes: [] });
  expect(dump.told).toEqual([]);
});
