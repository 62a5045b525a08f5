import type { Database } from "bun:sqlite";
import { afterEach, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createFakeClock, type FakeClock } from "../../../../../tests/kit/fake-clock.ts";
import { makeScratch } from "../../../../../tests/kit/scratch.ts";
import { openDatabase } from "../../../../kernel/db/open.ts";
import { days, hours, minutes, seconds } from "../../../../lib/duration.ts";
import { migrateMetrics } from "../../../open-series.ts";
import { createSeriesBook } from "./book.ts";
import type { Values } from "./fold.ts";
import { prune, rollUp } from "./rollup.ts";

const START = Date.UTC(2026, 0, 1);
const NOW = "2026-01-01T00:00:00.000Z";
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Numbers in [0, 1), the same for the same seed. */
function createRandom(seed: number): () => number {
  let state = Math.abs(seed) % 2 ** 32;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

interface Run {
  db: Database;
  clock: FakeClock;
  add(): void;
  work(steps?: number): void;
  restart(): void;
}

/** A recorder on a file, fed with figures that depend only on the minute since the start. */
function startRun(path: string): Run {
  const clock = createFakeClock(START);
  let db = openDatabase(path, "normal");
  db.run("PRAGMA synchronous = OFF");
  migrateMetrics(db, NOW);
  let book = createSeriesBook(db, clock, () => {});
  return {
    get db() {
      return db;
    },
    clock,
    add() {
      const value = Math.floor(clock.monotonic() / minutes(1)) % 97;
      book.recorder.add(
        new Map<string, Values>([
          ["host", { cpu_percent: value, load1: value / 7 }],
          [
            "app:a",
            value % 5 === 0 ? { mem_bytes: value * 1000 } : { mem_bytes: value * 1000, cpu_percent: value * 2 },
          ],
        ]),
      );
    },
    /** Rolls up and prunes, or dies after so many slices, in the middle of it. */
    work(steps = Number.POSITIVE_INFINITY) {
      let done = 0;
      for (const slices of [rollUp(db, clock), prune(db, clock)]) {
        for (const _ of slices) {
          done += 1;
          if (done >= steps) return;
        }
      }
    },
    /** What a killed process leaves, found by the next one: everything in memory is gone. */
    restart() {
      db.close();
      db = openDatabase(path, "normal");
      db.run("PRAGMA synchronous = OFF");
      book = createSeriesBook(db, clock, () => {});
    },
  };
}

function scratch(): string {
  const folder = makeScratch("tiers");
  folders.push(folder);
  return folder;
}

const TIERS_OF_HOURS = ["h1_host", "h1_app"];
const ALL = [...TIERS_OF_HOURS, "d1_host", "d1_app"];
const BUCKETS: Record<string, number> = { m1: minutes(1), h1: hours(1), d1: days(1) };
/** Hours that hold fewer samples than those of their minutes that are left. */
const LOST = `SELECT h.bucket, h.n, sum(m.n) AS minutes FROM h1_host h JOIN m1_host m ON m.bucket / 60 = h.bucket
  GROUP BY h.bucket HAVING minutes > h.n`;

/** Every row of these tables with `from <= start < to`. */
function dump(db: Database, tables: readonly string[], from: number, to: number): unknown {
  return tables.map((table) => {
    const bucketMs = BUCKETS[table.slice(0, 2)] ?? 1;
    return db
      .query(
        `SELECT e.name, t.* FROM ${table} t JOIN entities e ON e.id = t.entity WHERE bucket >= ? AND bucket < ?
           ORDER BY e.name, bucket`,
      )
      .all(Math.ceil(from / bucketMs), Math.floor(to / bucketMs))
      .map((row) => ({ ...Object(row), entity: 0 }));
  });
}

const MINUTES = 2 * 24 * 60 + 60;

/** Two days and an hour; `interfere` may do to it what it likes at the end of each minute. */
async function record(run: Run, interfere: (minute: number) => void): Promise<void> {
  for (let minute = 0; minute < MINUTES; minute++) {
    // Two sweeps a minute are enough to tell mean and maximum apart, and two days stay fast.
    for (const part of [10, 50]) {
      await run.clock.advance(seconds(part));
      run.add();
    }
    interfere(minute);
  }
}

const clean = (async () => {
  const run = startRun(join(scratch(), "metrics.db"));
  await record(run, (minute) => {
    if (minute % 30 === 29) run.work();
  });
  run.work();
  return run;
})();

test("the clean run is itself right: hours and days hold all samples and the mean of their minutes", async () => {
  const { db } = await clean;
  const rows = db.query<{ n: number; cpu_percent: number }, []>("SELECT * FROM h1_host ORDER BY bucket").all();
  expect(rows).toHaveLength(49);
  expect(rows.every(({ n }) => n === 120)).toBeTrue();
  const values = Array.from({ length: 60 }, (_, minute) => [minute % 97, (minute + 1) % 97]).flat();
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  expect(Math.abs((rows[0]?.cpu_percent ?? 0) / 1000 - mean)).toBeLessThan(0.01);
});

test("deaths in the middle of roll-up and pruning leave the same tiers", async () => {
  const { db: expected } = await clean;
  const random = createRandom(7);
  const run = startRun(join(scratch(), "metrics.db"));
  let deaths = 0;
  await record(run, (minute) => {
    if (minute % 11 !== 10) return;
    run.work(1 + Math.floor(random() * 12));
    if (random() > 0.6) return;
    run.restart();
    deaths += 1;
  });
  run.work();
  expect(deaths).toBeGreaterThan(100);
  expect(dump(run.db, ALL, 0, START + days(4))).toEqual(dump(expected, ALL, 0, START + days(4)));
  run.db.close();
});

describe("clock jumps", () => {
  test.each([
    ["an hour ahead", hours(1)],
    ["an hour back", -hours(1)],
    ["ten years ahead", days(3650)],
    ["ten years back", -days(3650)],
    ["into hours whose minutes are gone", -minutes(27.5 * 60)],
    ["into hours that are rolled up", -hours(5)],
  ])("%s, with deaths: nothing outside is changed or lost", async (_, by) => {
    const { db: expected } = await clean;
    const random = createRandom(by);
    const run = startRun(join(scratch(), "metrics.db"));
    await record(run, (minute) => {
      // Wrong for two hours of the second day.
      if (minute === 30 * 60) run.clock.jump(by);
      if (minute === 32 * 60) run.clock.jump(-by);
      if (minute % 17 !== 16) return;
      run.work(random() < 0.5 ? 1 + Math.floor(random() * 12) : undefined);
      if (random() < 0.5) run.restart();
    });
    run.work();
    const hoursOf = (db: Database, from: number, to: number) =>
      dump(db, TIERS_OF_HOURS, START + hours(from), START + hours(to));
    // Where the wrong clock wrote, hours that had minutes left gained samples; all others are as they were.
    const touched = by === -hours(5) || by === -hours(1) ? 25 : 30;
    expect(hoursOf(run.db, 0, touched)).toEqual(hoursOf(expected, 0, touched));
    expect(hoursOf(run.db, 34, 49)).toEqual(hoursOf(expected, 34, 49));
    // Nothing was pruned because of it.
    for (const [from, to] of [
      [25, touched - 2],
      [34, 49],
    ] as const) {
      const kept = (db: Database) => dump(db, ["m1_host", "m1_app"], START + hours(from), START + hours(to));
      expect(kept(run.db)).toEqual(kept(expected));
    }
    expect(run.db.query(LOST).all()).toEqual([]);
    // The day without the jump as a whole.
    expect(dump(run.db, ALL, START, START + days(1))).toEqual(dump(expected, ALL, START, START + days(1)));
    const shown = createSeriesBook(run.db, run.clock, () => {}).series.read("host", "h1", START, START + days(9));
    expect(shown.at(-1)?.t).toBeLessThanOrEqual(START + days(2) + hours(1));
    run.db.close();
  });
});

test("what a wrong clock adds to an hour that is done is added to the hour too", async () => {
  const run = startRun(join(scratch(), "metrics.db"));
  const sweeps = async (count: number) => {
    for (let sweep = 0; sweep < count; sweep++) {
      await run.clock.advance(seconds(30));
      run.add();
    }
  };
  await sweeps(360);
  run.work();
  run.clock.jump(-hours(2));
  await sweeps(6);
  run.clock.jump(hours(2));
  await sweeps(120);
  run.work();
  expect(run.db.query(LOST).all()).toEqual([]);
  expect(run.db.query("SELECT sum(n) AS n FROM h1_host").get()).toEqual({ n: 480 });
  run.db.close();
});

test("a minute that is written while its hour is rolled up is not forgotten", async () => {
  const run = startRun(join(scratch(), "metrics.db"));
  for (let sweep = 0; sweep < 119; sweep++) {
    await run.clock.advance(seconds(30));
    run.add();
  }
  await run.clock.advance(seconds(30));
  const slices = rollUp(run.db, run.clock);
  slices.next();
  run.add();
  while (!slices.next().done);
  await run.clock.advance(hours(1));
  run.work();
  expect(run.db.query("SELECT n FROM h1_host").all()).toEqual([{ n: 120 }]);
  run.db.close();
});

test("nothing goes that the next tier does not have yet", async () => {
  const run = startRun(join(scratch(), "metrics.db"));
  for (let minute = 0; minute < 26 * 60; minute++) {
    await run.clock.advance(minutes(1));
    run.add();
  }
  for (const _ of prune(run.db, run.clock));
  const count = () => run.db.query<{ count: number }, []>("SELECT count(*) AS count FROM m1_host").get()?.count;
  expect(count()).toBe(26 * 60);
  run.work();
  expect(count()).toBe(24 * 60);
  run.db.close();
});

test("a tier keeps its time and no more, when the clock is right", async () => {
  const { db } = await clean;
  const minutesKept = db
    .query<{ count: number; first: number }, []>("SELECT count(*) AS count, min(bucket) AS first FROM m1_host")
    .get();
  expect(minutesKept?.count).toBe(24 * 60);
  expect(minutesKept?.first).toBe((START + days(2) + hours(1)) / minutes(1) - (minutesKept?.count ?? 0));
});
