import { days, hours } from "../../lib/duration.ts";
import type { SampleTables } from "./sample-store.ts";

const HOUR = hours(1);
const DAY = days(1);
/** Nodes that are rolled up by one statement, so that samples are written in between. */
const SLICE = 250;
const KEEP_HOURS_MS = days(31);
const KEEP_DAYS_MS = days(400);

/** Runs `work` for all nodes from `low` to `high`, some at a time. */
async function inSlices(low: number, high: number, work: (low: number, end: number) => Promise<unknown>) {
  for (let from = low; from <= high; from += SLICE) await work(from, from + SLICE);
}

/** Rolls up one hour; any number of times. */
export async function rollHour(tables: SampleTables, hour: number): Promise<void> {
  const bounds = await tables.bounds(hour);
  if (bounds) await inSlices(bounds.low, bounds.high, (low, end) => tables.rollHour(hour, low, end));
  await tables.markRolled(hour);
}

/**
 * Rolls up every hour and day that was over before `now` (milliseconds) and is not rolled up yet, and forgets what is
 * older than 31 days of hours and 400 of days. Stopped at any point it goes on there the next time.
 */
export async function keepHouse(tables: SampleTables, now: number): Promise<void> {
  for (const hour of tables.pending(Math.floor(now / HOUR))) await rollHour(tables, hour);
  const finished = await tables.pendingDays(Math.floor(now / DAY));
  if (finished.length === 0) return;
  const highest = await tables.highest();
  for (const day of finished) {
    await inSlices(0, highest, (low, end) => tables.rollDay(day, low, end));
    await tables.markDay(day);
  }
  await inSlices(0, highest, (low, end) => tables.forget(low, end, now - KEEP_HOURS_MS, now - KEEP_DAYS_MS));
}
