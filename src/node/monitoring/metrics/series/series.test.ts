import { expect, test } from "bun:test";
import { createFakeClock } from "../../../../../tests/kit/fake-clock.ts";
import { openDatabase } from "../../../../kernel/db/open.ts";
import { hours, minutes, seconds } from "../../../../lib/duration.ts";
import { migrateMetrics } from "../../../open-series.ts";
import { createSeriesBook } from "./book.ts";
import type { Values } from "./fold.ts";
import { prune, rollUp } from "./rollup.ts";

const START = Date.UTC(2026, 0, 1);

function makeBook() {
  const clock = createFakeClock(START);
  const db = openDatabase(":memory:");
  migrateMetrics(db, "2026-01-01T00:00:00.000Z");
  const jumps: number[] = [];
  const book = createSeriesBook(db, clock, (byMs) => jumps.push(byMs));
  return { clock, db, jumps, ...book };
}

type Book = ReturnType<typeof makeBook>;

/** Ten seconds later, one sweep in which the processor shows `cpu`. */
async function sweep({ clock, recorder }: Book, cpu: number | null, more: [string, Record<string, number>][] = []) {
  await clock.advance(seconds(10));
  recorder.add(new Map<string, Values>([["host", { cpu_percent: cpu }], ...more]));
}

const run = (slices: Generator<void>): void => {
  for (const _ of slices);
};

test("six samples make a minute, written when it is over", async () => {
  const book = makeBook();
  for (const cpu of [10, 20, 30, 40, 50]) await sweep(book, cpu);
  expect(book.series.read("host", "m1", START, START + hours(1))).toEqual([]);
  await sweep(book, 60);
  const [row, ...others] = book.series.read("host", "m1", START, START + hours(1));
  expect(others).toEqual([]);
  expect(row).toMatchObject({ t: START, n: 6 });
  expect([row?.avg["cpu_percent"], row?.max["cpu_percent"]]).toEqual([35, 60]);
  expect(row?.avg["cpu_temp_c"]).toBeNull();
  expect(book.series.latest("host")).toEqual({ t: START + minutes(1), values: { cpu_percent: 60 } });
});

test("a restart within the minute goes on where it was", async () => {
  const book = makeBook();
  for (const cpu of [10, 20]) await sweep(book, cpu);
  book.recorder.flush();
  const again = { ...book, ...createSeriesBook(book.db, book.clock, () => {}) };
  for (const cpu of [30, 40, 50, 60]) await sweep(again, cpu);
  const [row] = again.series.read("host", "m1", START, START + hours(1));
  expect([row?.n, row?.avg["cpu_percent"], row?.max["cpu_percent"]]).toEqual([6, 35, 60]);
});

test("what is unknown stays unknown, and the known rest makes the average", async () => {
  const book = makeBook();
  for (const cpu of [null, 20, null, 40, null, null]) await sweep(book, cpu, [["iface:eth0", { rx_bps: 7 }]]);
  const [row] = book.series.read("host", "m1", START, START + hours(1));
  expect([row?.n, row?.avg["cpu_percent"], row?.avg["load1"]]).toEqual([6, 30, null]);
  expect(book.series.read("iface:eth0", "m1", START, START + hours(1))[0]?.avg).toEqual({ rx_bps: 7, tx_bps: null });
  expect(book.series.read("app:none", "m1", START, START + hours(1))).toEqual([]);
  expect(book.series.read("nonsense", "m1", START, START + hours(1))).toEqual([]);
});

test("hours and days come from minutes, also while they still run", async () => {
  const book = makeBook();
  for (let minute = 0; minute < 150; minute++) {
    for (let count = 0; count < 6; count++) await sweep(book, minute < 60 ? 10 : 40);
  }
  const before = book.series.read("host", "h1", START, START + hours(24));
  expect(before.map(({ n, avg }) => [n, avg["cpu_percent"]])).toEqual([
    [360, 10],
    [360, 40],
    [180, 40],
  ]);
  run(rollUp(book.db, book.clock));
  expect(book.series.read("host", "h1", START, START + hours(24))).toEqual(before);
  expect(book.series.read("host", "d1", START, START + hours(24))).toMatchObject([
    { t: START, n: 900, avg: { cpu_percent: 28 } },
  ]);
});

test("entities tell since when and until when they have rows", async () => {
  const book = makeBook();
  for (let count = 0; count < 12; count++) await sweep(book, 1, [["app:a", { mem_bytes: 5 }]]);
  expect(book.series.entities("app")).toEqual([{ entity: "app:a", first_ms: START, last_ms: START + minutes(1) }]);
  expect(book.series.entities("fs")).toEqual([]);
});

test("a wrong future clock neither shows its rows nor erases history", async () => {
  const book = makeBook();
  for (let count = 0; count < 12; count++) await sweep(book, 1);
  const tenYears = hours(24 * 3650);
  book.clock.jump(tenYears);
  for (let count = 0; count < 60; count++) await sweep(book, 99);
  run(rollUp(book.db, book.clock));
  run(prune(book.db, book.clock));
  book.clock.jump(-tenYears);
  for (let count = 0; count < 6; count++) await sweep(book, 2);
  expect(book.jumps).toEqual([tenYears, -tenYears]);
  run(rollUp(book.db, book.clock));
  run(prune(book.db, book.clock));
  const shown = book.series.read("host", "m1", 0, START + tenYears * 2);
  expect(shown.map(({ avg }) => avg["cpu_percent"])).toEqual([1, 1, 2]);
  expect(book.series.entities("host")[0]?.last_ms).toBe(START + minutes(12));
});

test("while the disk is full the newest sample is known still, and the minute that waited is written once there is room", async () => {
  const book = makeBook();
  for (let cpu = 10; cpu <= 50; cpu += 10) await sweep(book, cpu);
  const { page_count } = book.db.query<{ page_count: number }, []>("PRAGMA page_count").get() ?? { page_count: 0 };
  book.db.run("CREATE TABLE filler (bytes BLOB) STRICT");
  book.db.run(`PRAGMA max_page_count = ${page_count + 1}`);
  // A row that does not fit any more, whatever the page that series are on has left.
  const entities = Array.from({ length: 400 }, (_, n): [string, Record<string, number>] => [
    `app:app_${n}`,
    { cpu_percent: 1 },
  ]);
  await expect(sweep(book, 60, entities)).rejects.toThrow("full");
  await expect(sweep(book, 90)).rejects.toThrow("full");
  expect(book.series.latest("host")).toMatchObject({ t: START + seconds(70), values: { cpu_percent: 90 } });
  book.db.run("PRAGMA max_page_count = 100000");
  await sweep(book, 20);
  expect(book.series.read("host", "m1", START, START + minutes(1))).toMatchObject([{ t: START, n: 6 }]);
});
