import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { closeDatabase, openDatabase } from "../../src/kernel/db/open.ts";
import { KINDS } from "../../src/node/monitoring/metrics/series/columns.ts";
import { migrateMetrics } from "../../src/node/open-series.ts";
import { temporaryFolder } from "../kit/dashboard.ts";

const HOUR_MS = 3_600_000;
const START_HOUR = Date.UTC(2026, 0, 1) / HOUR_MS;
const KILLS = 90;
const JUMPS = 10;
/** The jumps fall into two of the days; the others shall not show any of it. */
const DAYS = 5;
const JUMP_DAYS = [1, 3];
/** From one jump to the next, in minutes; the clock is wrong for at most half of it. */
const SPACING = 240;
const HOURS = DAYS * 24;
/** Minutes that a life records, at most, before it rolls up and can be killed: the kills are spread over all of the time. */
const CALM = (1.2 * HOURS * 60) / KILLS;
/** The longest that it rolls up and prunes after that. */
const LIFE_MS = 6;
const JUMP_HOURS = [1, -1, 87_600, -87_600];

/** First and last minute, and by how many milliseconds the clock is wrong between them. */
type Jump = [from: number, to: number, byMs: number];

const folder = temporaryFolder("series-kill");
afterAll(() => folder.remove());

/** One file to start: two hundred starts would else read the sources two hundred times. */
const program = (async () => {
  const entry = new URL("../kit/series-child.ts", import.meta.url).pathname;
  const built = await Bun.build({ entrypoints: [entry], target: "bun", outdir: folder.path });
  return built.outputs[0]?.path ?? "";
})();

/**
 * A database of series that counts, in the very transactions that write them, how many minutes there are: a wrong clock does
 * not show in that.
 */
function makeDatabase(name: string): string {
  const path = join(folder.path, name);
  const db = openDatabase(path, "normal");
  migrateMetrics(db, "2026-01-01T00:00:00.000Z");
  db.run("CREATE TABLE written (rows INTEGER NOT NULL) STRICT");
  db.run("INSERT INTO written VALUES (0)");
  for (const change of ["INSERT", "UPDATE"]) {
    db.run(`CREATE TRIGGER count_${change} AFTER ${change} ON m1_host BEGIN UPDATE written SET rows = rows + 1; END`);
  }
  closeDatabase(db);
  return path;
}

/** Lets the recorder work on `path`; kills it so long after it has begun. True when it came to its end before. */
async function live(path: string, jumps: readonly Jump[], killAfterMs: number | null): Promise<boolean> {
  const calm = killAfterMs === null ? Number.MAX_SAFE_INTEGER : Math.floor(Math.random() * CALM);
  const child = Bun.spawn(
    [process.execPath, await program, path, ...[HOURS * 60, calm].map(String), JSON.stringify(jumps)],
    {
      stdout: "pipe",
      stderr: "inherit",
    },
  );
  let said = "";
  for await (const chunk of child.stdout) {
    said += new TextDecoder().decode(chunk);
    if (killAfterMs === null || !said.startsWith("ready")) continue;
    await Bun.sleep(killAfterMs);
    child.kill("SIGKILL");
  }
  await child.exited;
  return said.endsWith("done");
}

interface Row {
  entity: number;
  bucket: number;
}

function readTiers(path: string) {
  const db = openDatabase(path, "normal");
  const tables = KINDS.flatMap((kind) => ["m1", "h1", "d1"].map((tier) => `${tier}_${kind}`));
  const rows = new Map(
    tables.map((table) => [table, db.query<Row, []>(`SELECT * FROM ${table} ORDER BY entity, bucket`).all()]),
  );
  const check = db.query("PRAGMA integrity_check").get();
  closeDatabase(db);
  return { rows, check };
}

/** Hours that a jump touched: those that the clock left out, and those that it wrote into instead. */
function touchedHours(jumps: readonly Jump[]): Set<number> {
  const hours = new Set<number>();
  for (const [from, to, byMs] of jumps) {
    for (let minute = from; minute < to; minute++) {
      hours.add(START_HOUR + Math.floor(minute / 60));
      hours.add(START_HOUR + Math.floor((minute + byMs / 60_000) / 60));
    }
  }
  return hours;
}

/** Hours of one bucket, by the table's tier. */
const HOURS_OF: Record<string, number> = { m1: 1 / 60, h1: 1, d1: 24 };

/** The rows of `table` in the buckets of the run that no jump touched. */
function outside(rows: readonly Row[], table: string, touched: ReadonlySet<number>): Row[] {
  const size = HOURS_OF[table.slice(0, 2)] ?? 1;
  return rows.filter(({ bucket }) => {
    const from = size < 1 ? Math.floor(bucket / 60) : bucket * size;
    const hours = Array.from({ length: Math.max(1, size) }, (_, index) => from + index);
    return hours.every((hour) => hour >= START_HOUR && hour < START_HOUR + HOURS && !touched.has(hour));
  });
}

const clean = (async () => {
  const path = makeDatabase("clean.db");
  expect(await live(path, [], null)).toBeTrue();
  return readTiers(path);
})();

/** Random jumps of an hour and of ten years, both ways. */
function drawJumps(seed: number): Jump[] {
  const starts = JUMP_DAYS.flatMap((day) =>
    Array.from({ length: JUMPS / JUMP_DAYS.length }, (_, index) => (day * 24 + 3) * 60 + index * SPACING),
  );
  const part = { minLength: starts.length, maxLength: starts.length };
  const drawn = fc.tuple(
    fc.array(fc.integer({ min: 0, max: SPACING / 2 }), part),
    fc.array(fc.integer({ min: 1, max: SPACING / 2 }), part),
    fc.array(fc.constantFrom(...JUMP_HOURS), part),
  );
  const [[delays, lengths, hours] = [[], [], []]] = fc.sample(drawn, { seed, numRuns: 1 });
  return starts.map((start, index) => {
    const from = start + (delays[index] ?? 0);
    return [from, from + (lengths[index] ?? 1), (hours[index] ?? 1) * HOUR_MS];
  });
}

// Two at a time: both processors are at work, and each has its own jumps.
test.concurrent.each([1, 2])(
  `${KILLS} kill -9 and ${JUMPS} clock jumps leave the tiers of a clean run, seed %d`,
  async (seed) => {
    const jumps = drawJumps(seed);
    const path = makeDatabase(`killed-${seed}.db`);
    let kills = 0;
    while (kills < KILLS && !(await live(path, jumps, Math.random() * LIFE_MS))) kills += 1;
    expect(kills).toBe(KILLS);
    expect(await live(path, jumps, null)).toBeTrue();
    const [{ rows: expected }, { rows, check }] = [await clean, readTiers(path)];
    expect(check).toEqual({ integrity_check: "ok" });
    const touched = touchedHours(jumps);
    for (const [table, wanted] of expected) {
      const found = outside(rows.get(table) ?? [], table, touched);
      const kept = outside(wanted, table, touched);
      const first = kept[0]?.bucket ?? 0;
      // Where minutes are missing, older ones stay in their place; none of those that the clean run has may be gone.
      expect(table.startsWith("m1") ? found.filter(({ bucket }) => bucket >= first) : found).toEqual(kept);
    }
    expect(outside(expected.get("d1_host") ?? [], "d1_host", touched)).toHaveLength(DAYS - JUMP_DAYS.length);
  },
  60_000,
);
