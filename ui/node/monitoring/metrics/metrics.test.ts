import { expect, test } from "bun:test";
import { appLines } from "./app-lines.ts";
import { dayBefore, hasDayBefore } from "./day-before.ts";
import { coarser, eventsWithin, placesOf, readView, stepOf, zoomQuery } from "./view.ts";

const NOW = Date.UTC(2026, 5, 1);
const hour = 3_600_000;
const view = (text: string) => readView(new URLSearchParams(text), NOW);

test("the day before is read off the line between the middles of its hours, with its gaps", () => {
  const start = NOW - 24 * hour;
  const points = [10, 20, 30].map((value, index) => ({ ts: new Date(start + index * hour).toISOString(), value }));
  const at = (minutes: number) => NOW + minutes * 60_000;
  expect(dayBefore(points, "value", [at(0), at(30), at(60), at(90), at(150), at(151)])).toEqual([
    null,
    10,
    15,
    20,
    null,
    null,
  ]);
  expect(dayBefore([...points.slice(0, 1), ...points.slice(2)], "value", [at(40), at(100)])).toEqual([null, null]);
  expect(["1h", "24h", "7d"].map((range) => hasDayBefore(view(`range=${range}`)))).toEqual([true, true, false]);
});

test("the address says what is shown; nonsense shows a day", () => {
  expect(view("")).toEqual({ range: "24h", zoom: null, load: "24h" });
  expect(view("range=7d")).toEqual({ range: "7d", zoom: null, load: "7d" });
  expect(view("range=2y&from=x&to=3").range).toBe("24h");
  expect(view(`from=${NOW}&to=${NOW - hour}`).zoom).toBeNull();
  expect(view(`from=${NOW + hour}&to=${NOW + 2 * hour}`).zoom).toBeNull();
});

test("a zoomed part is drawn with the finest points that there are for it", () => {
  const part = (from: number, to: number) => view(`range=30d&from=${NOW - from * hour}&to=${NOW - to * hour}`).load;
  expect([part(0.5, 0), part(5, 4), part(20, 10), part(100, 90), part(700, 600)]).toEqual([
    "1h",
    "6h",
    "24h",
    "7d",
    "30d",
  ]);
});

test("zooming out far enough shows the range again; a part is at least five points wide", () => {
  expect(zoomQuery(NOW - 30 * hour, NOW, "24h", NOW)).toEqual({ from: null, to: null });
  expect(zoomQuery(NOW - 2 * hour, NOW - hour, "24h", NOW)).toEqual({
    from: String(NOW - 2 * hour),
    to: String(NOW - hour),
  });
  const tiny = zoomQuery(NOW - hour, NOW - hour + 1000, "24h", NOW);
  expect(Number(tiny["to"]) - Number(tiny["from"])).toBe(300_000);
});

test("lines run to the edge of a zoomed part", () => {
  const times = [0, 10, 20, 30, 40];
  expect(placesOf(times, null)).toEqual([0, 5]);
  expect(placesOf(times, { from: 15, to: 25 })).toEqual([1, 4]);
  expect(placesOf(times, { from: 0, to: 100 })).toEqual([0, 5]);
  expect(placesOf(times, { from: 50, to: 60 })).toEqual([3, 5]);
});

test("the six busiest apps have a line; one that did not run has none", () => {
  const app = (name: string, values: (number | null)[]) => ({
    app_id: name,
    name,
    cpu_percent: values,
    memory_bytes: values,
    rx_bytes_per_sec: values,
    tx_bytes_per_sec: values,
  });
  const apps = [
    app("idle", [null, null, null]),
    ...[3, 9, 1, 5, 7, 2, 8].map((level) => app(`a${level}`, [level, null, level])),
  ];
  const lines = appLines(apps, "cpu_percent", ({ name }) => name.toUpperCase(), [1, 3]);
  expect(lines.map(({ label }) => label)).toEqual(["A9", "A8", "A7", "A5", "A3", "A2"]);
  expect(lines[0]?.values).toEqual([null, 9]);
});

test("what happened in the running hour is shown in a chart of hours", () => {
  const at = (hours: number) => ({ timestamp: new Date(NOW + hours * hour).toISOString() });
  const times = [NOW, NOW + hour, NOW + 2 * hour];
  expect(eventsWithin([at(-0.1), at(0), at(1.5), at(2.9), at(3.1)], times)).toEqual([at(0), at(1.5), at(2.9)]);
  expect(eventsWithin([at(0)], [])).toEqual([]);
});

test("a day is drawn in points of five minutes, a month in points of two hours, a part as fine as it is", () => {
  const minutes = (text: string) => stepOf(view(text)) / 60_000;
  expect(["range=1h", "range=6h", "", "range=7d", "range=30d"].map(minutes)).toEqual([1, 1, 5, 60, 120]);
  expect(minutes(`from=${NOW - 10 * hour}&to=${NOW - 8 * hour}`)).toBe(1);
});

test("coarser points are means, peaks stay peaks, and what was not measured is not guessed", () => {
  const point = (minute: number, value: number | null, max = value) => ({
    ts: new Date(NOW + minute * 60_000).toISOString(),
    value,
    max,
  });
  const fine = [
    point(3, 4),
    point(4, 8),
    point(5, 1, 9),
    point(6, null),
    point(7, 3),
    point(10, null),
    point(11, null),
  ];
  expect(coarser(fine, 300_000)).toEqual([point(3, 6, 8), point(5, 2, 9), point(10, null)]);
  expect(coarser(fine, 60_000)).toEqual(fine);
});
