import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { closeDatabase, openDatabase } from "../../src/kernel/db/open.ts";
import { KINDS } from "../../src/node/features/metrics/columns.ts";
import { temporaryFolder } from "../kit/dashboard.ts";
import { ROOT } from "../kit/env.ts";

const KILLS = 20;
const MINUTES = 4 * 24 * 60;

const folder = temporaryFolder("series-kill");
afterAll(() => folder.remove());

/** Records from where the file ends, and rolls up and prunes all the time; says when the last minute is in. */
const recorder = (path: string): string => `
  const at = (path) => import(${JSON.stringify(ROOT)} + path);
  const { openDatabase } = await at("/src/kernel/db/open.ts");
  const { migrateMetrics } = await at("/src/node/open-series.ts");
  const { createSeriesBook } = await at("/src/node/features/metrics/book.ts");
  const { prune, rollUp } = await at("/src/node/features/metrics/rollup.ts");
  const start = Date.UTC(2026, 0, 1);
  const db = openDatabase(${JSON.stringify(path)}, "normal");
  migrateMetrics(db, "2026-01-01T00:00:00.000Z");
  const last = db.query("SELECT max(bucket) AS bucket FROM m1_host").get().bucket;
  let minute = last === null ? 0 : last + 1 - start / 60000;
  const clock = { now: () => start + (minute + 1) * 60000, monotonic: () => minute * 60000 };
  const { recorder } = createSeriesBook(db, clock, () => {});
  for (; minute < ${MINUTES}; minute++) {
    const value = minute % 97;
    recorder.add(new Map([["host", { cpu_percent: value }], ["app:a", { mem_bytes: value * 1000 }]]));
    if (minute % 20 !== 19) continue;
    for (const slices of [rollUp(db, clock), prune(db, clock)]) for (const _ of slices);
  }
  process.stdout.write("done");
`;

async function runFor(path: string, ms: number | null): Promise<string> {
  const child = Bun.spawn([process.execPath, "-e", recorder(path)], { stdout: "pipe", stderr: "inherit" });
  if (ms !== null) setTimeout(() => child.kill("SIGKILL"), ms);
  const said = await child.stdout.text();
  await child.exited;
  return said;
}

function dump(path: string): unknown {
  const db = openDatabase(path, "normal");
  const tables = KINDS.flatMap((kind) => ["m1", "h1", "d1"].map((tier) => `${tier}_${kind}`));
  const rows = tables.map((table) => [table, db.query(`SELECT * FROM ${table} ORDER BY entity, bucket`).all()]);
  const check = db.query("PRAGMA integrity_check").get();
  closeDatabase(db);
  return { rows, check };
}

test("a recorder that is killed again and again ends with the same tiers as one that is not", async () => {
  const [clean, killed] = [join(folder.path, "clean.db"), join(folder.path, "killed.db")];
  expect(await runFor(clean, null)).toBe("done");
  let kills = 0;
  // A start takes some 100 ms; each life is a little longer than the one before, so that they end in different places.
  for (let life = 0; life < KILLS; life++) {
    if ((await runFor(killed, 130 + life * 13)) === "done") break;
    kills += 1;
  }
  expect(await runFor(killed, null)).toBe("done");
  expect(kills).toBeGreaterThanOrEqual(3);
  expect(dump(killed)).toEqual(dump(clean));
}, 60_000);
