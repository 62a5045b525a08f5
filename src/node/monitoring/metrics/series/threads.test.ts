import { expect, test } from "bun:test";
import { createFakeClock } from "../../../../../tests/kit/fake-clock.ts";
import { openDatabase } from "../../../../kernel/db/open.ts";
import { days, hours, minutes, seconds } from "../../../../lib/duration.ts";
import { migrateMetrics } from "../../../open-series.ts";
import { createSeriesBook } from "./book.ts";
import { TIERS, type Tier } from "./columns.ts";
import { prune, rollUp } from "./rollup.ts";
import { readThreads, writeThreads } from "./thread-store.ts";
import { threadPercents } from "./threads.ts";

const START = Date.UTC(2026, 0, 1);

function makeBook() {
  const clock = createFakeClock(START);
  const db = openDatabase(":memory:");
  migrateMetrics(db, "2026-01-01T00:00:00.000Z");
  return { clock, db, ...createSeriesBook(db, clock, () => {}) };
}

type Book = ReturnType<typeof makeBook>;

async function sweep({ clock, recorder }: Book, threads?: number[]): Promise<void> {
  await clock.advance(seconds(10));
  recorder.add(new Map([["host", { cpu_percent: 1 }]]), threads);
}

const read = ({ db }: Book, tier: Tier) =>
  readThreads(db, tier, 0, Number.MAX_SAFE_INTEGER).map((row) => ({
    t: row.bucket * TIERS[tier].bucketMs,
    n: row.n,
    percents: threadPercents(row),
  }));

test("a minute has the mean of each thread, and so have its hour and day, exactly", async () => {
  const book = makeBook();
  for (let count = 0; count < 12; count++) await sweep(book, [count < 6 ? 100 : 0, 12.3]);
  expect(read(book, "m1")).toEqual([
    { t: START, n: 6, percents: [100, 12.3] },
    { t: START + minutes(1), n: 6, percents: [0, 12.3] },
  ]);
  for (const tier of ["h1", "d1"] as const)
    expect(read(book, tier)).toEqual([{ t: START, n: 12, percents: [50, 12.3] }]);
});

test("a restart goes on where the minute was; a machine without threads to see writes nothing", async () => {
  const book = makeBook();
  await sweep(book, [10]);
  book.recorder.flush();
  const again = { ...book, ...createSeriesBook(book.db, book.clock, () => {}) };
  await sweep(again, [20]);
  again.recorder.flush();
  expect(read(book, "m1")).toEqual([{ t: START, n: 2, percents: [15] }]);
  const blind = makeBook();
  await sweep(blind);
  blind.recorder.flush();
  expect(read(blind, "m1")).toEqual([]);
});

test("with more threads than before, a bucket is what the machine is now", async () => {
  const book = makeBook();
  for (let count = 0; count < 6; count++) await sweep(book, [100]);
  for (let count = 0; count < 6; count++) await sweep(book, [20, 40]);
  expect(read(book, "h1")).toEqual([{ t: START, n: 6, percents: [20, 40] }]);
});

test("what has had its time goes, with the series of the host, and an hour outlives its minutes", async () => {
  const book = makeBook();
  for (let minute = 0; minute < 25 * 60; minute++) {
    await book.clock.advance(minutes(1) - seconds(10));
    await sweep(book, [50]);
  }
  for (const _ of rollUp(book.db, book.clock)) expect(_).toBeUndefined();
  for (const _ of prune(book.db, book.clock)) expect(_).toBeUndefined();
  expect(read(book, "m1")[0]?.t).toBe(book.clock.now() - hours(24));
  expect(read(book, "h1")[0]?.t).toBe(START);
});

test("a year of eight threads takes less than 200 KB", () => {
  const book = makeBook();
  const sizeOf = () => book.db.query<{ page_count: number }, []>("PRAGMA page_count").get()?.page_count ?? 0;
  const before = sizeOf();
  const seen = { n: 6, sums: Uint32Array.from({ length: 8 }, (_, thread) => thread * 700) };
  book.db.transaction(() => {
    for (let minute = 0; minute < 24 * 60; minute++) writeThreads(book.db, minute, seen);
    for (let hour = 24; hour < 30 * 24; hour++) writeThreads(book.db, hour * 60, seen);
    for (let day = 30; day < 365; day++) writeThreads(book.db, day * (days(1) / minutes(1)), seen);
  })();
  expect((sizeOf() - before) * 4096).toBeLessThan(200_000);
});
