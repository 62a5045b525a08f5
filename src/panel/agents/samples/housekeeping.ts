import { days, hours } from "../../../lib/duration.ts";
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

/** Rolls up one hour, if its table still holds it; any number of times. */
async function rollHour(tables: SampleTables, hour: number): Promise<void> {
  const writes = await tables.writes(hour);
  if (writes === null) return;
  const bounds = await tables.bounds(hour);
  if (bounds) {
    await inSlices(bounds.low, bounds.high, (low, end) => tables.rollHour(hour, low, end));
    // Afterwards: a day that is rolled up meanwhile may have read the hour as it was. When this fails, the hour is done again.
    await tables.openDay(Math.floor((hour * HOUR) / DAY));
  }
  await tables.markRolled(hour, writes);
}

/**
 * Makes the table of an hour hold that hour. After a long pause, or when the clock was set, it may hold one that nobody
 * rolled up, and the hour may have been there before.
 */
export async function makeRoom(tables: SampleTables, hour: number): Promise<void> {
  if (tables.isHeld(hour)) return;
  await tables.alone(async () => {
    const before = tables.unrolledIn(hour);
    if (before !== null) await rollHour(tables, before);
    if (await tables.wasHeld(hour))
      await inSlices(0, await tables.highest(), (low, end) => tables.keepBase(hour, low, end));
    await tables.claim(hour);
  });
}

/**
 * Makes what rolls up every hour and day that was over before `now` (milliseconds) and is not rolled up yet, and every day
 * forgets what is older than 31 days of hours and 400 of days. Stopped at any point it goes on there the next time.
 */
export function createHousekeeping(tables: SampleTables): (now: number) => Promise<void> {
  let today: number | null = null;
  return async (now) => {
    for (const hour of tables.pending(Math.floor(now / HOUR))) await tables.alone(() => rollHour(tables, hour));
    const day = Math.floor(now / DAY);
    const open = await tables.openDays(day);
    const isNewDay = today !== null && today !== day;
    today = day;
    if (open.length === 0 && !isNewDay) return;
    const highest = await tables.highest();
    for (const each of open) {
      await inSlices(0, highest, (low, end) => tables.rollDay(each.day, low, end));
      await tables.closeDay(each);
    }
    await inSlices(0, highest, (low, end) => tables.forget(low, end, now - KEEP_HOURS_MS, now - KEEP_DAYS_MS));
    await tables.forgetHeld(Math.floor((now - KEEP_HOURS_MS) / HOUR));
  };
}
