/**
 * A recorder of a test, to be killed: `bun series-child.ts FILE MINUTES CALM JUMPS` goes on where FILE ends, a sample each second
 * minute of made-up time, up to MINUTES. After CALM minutes of its life it says `ready`, and from then on it rolls up and
 * prunes, first what has gathered, then every 10 minutes. JUMPS is JSON: `[[first minute, last minute, wrong by ms], …]`.
 * FILE has the table `written`. Says `done` when the last minute is in.
 */
import { openDatabase } from "../../src/kernel/db/open.ts";
import { createSeriesBook } from "../../src/node/monitoring/metrics/series/book.ts";
import { prune, rollUp } from "../../src/node/monitoring/metrics/series/rollup.ts";

const START = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;
const STEP = 2;
const LIFE_MINUTES = 30;
const [path = "", total = "0", calm = "0", jumpList = "[]"] = process.argv.slice(2);
const jumps: readonly (readonly [from: number, to: number, byMs: number])[] = JSON.parse(jumpList);

const db = openDatabase(path, "normal");
let minute = (db.query<{ rows: number }, []>("SELECT rows FROM written").get()?.rows ?? 0) * STEP;
const wrongBy = (): number => jumps.find(([from, to]) => minute >= from && minute < to)?.[2] ?? 0;
const clock = { now: () => START + (minute + 1) * MINUTE_MS + wrongBy(), monotonic: () => minute * MINUTE_MS };
const { recorder } = createSeriesBook(db, clock, () => {});

function rollUpAndPrune(): void {
  for (const slices of [rollUp(db, clock), prune(db, clock)]) for (const _ of slices);
}

const busyFrom = minute + Number(calm);
let isReady = false;
for (; minute < Number(total); minute += STEP) {
  const value = minute % 97;
  recorder.add(
    new Map([
      ["host", { cpu_percent: value }],
      ["app:a", { mem_bytes: value * 1000 }],
    ]),
  );
  recorder.flush();
  if (minute < busyFrom) continue;
  if (!isReady) process.stdout.write("ready");
  if (!isReady || minute % 10 === 0) rollUpAndPrune();
  isReady = true;
  // Whoever kills may be late; the time that is left is for the lives to come.
  if (minute >= busyFrom + LIFE_MINUTES) await Bun.sleep(60_000);
}
rollUpAndPrune();
process.stdout.write("done");
