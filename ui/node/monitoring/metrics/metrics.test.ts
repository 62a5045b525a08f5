import { expect, test } from "bun:test";
import { alertHref, alertStart, thresholdAbove } from "./alert-on.ts";
import { appLines, busiestApp } from "./app-lines.ts";
import { dayBefore, hasDayBefore, lacksDayBefore } from "./day-before.ts";
import { groupMarks, nearPx } from "./event-groups.ts";
import { learningOf } from "./learned.ts";
import { newestPlace, rowHeight, threadsAt, toneOf } from "./thread-cells.ts";
import {
  coarser,
  dayStart,
  eventsWithin,
  firstDayRange,
  loadQuery,
  localText,
  partProblem,
  placesOf,
  readView,
  stepOf,
  zoomQuery,
} from "./view.ts";

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
  expect([[at(30)], [at(0), at(30)], [at(0)], []].map((times) => lacksDayBefore(points, "value", times))).toEqual([
    false,
    false,
    true,
    false,
  ]);
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
  const zoom = (from: number, to: number, at = view("")) => zoomQuery(from, to, at, NOW);
  expect(zoom(NOW - 30 * hour, NOW)).toEqual({ from: null, to: null });
  expect(zoom(NOW - 2 * hour, NOW - hour)).toEqual({ from: String(NOW - 2 * hour), to: String(NOW - hour) });
  const tiny = zoom(NOW - hour, NOW - hour + 1000);
  expect(Number(tiny["to"]) - Number(tiny["from"])).toBe(300_000);
});

test("a chosen part longer than the range is zoomed within the year that is kept", () => {
  const chosen = view(`from=${NOW - 90 * 24 * hour}&to=${NOW}`);
  expect([chosen.load, stepOf(chosen) / hour]).toEqual([null, 24]);
  expect(loadQuery(chosen)).toEqual({
    from: new Date(NOW - 90 * 24 * hour).toISOString(),
    to: new Date(NOW).toISOString(),
  });
  const days = (from: number, to: number) => {
    const part = zoomQuery(NOW - from * 24 * hour, NOW - to * 24 * hour, chosen, NOW);
    return [part["from"], part["to"]].map((at) => (NOW - Number(at)) / 24 / hour);
  };
  expect(days(60, 40)).toEqual([60, 40]);
  expect(days(400, -10)).toEqual([365, 0]);
  expect(days(80, 79)).toEqual([82, 77]);
});

test("an address may be written by hand", () => {
  expect(view("from=2026-05-31T10:00:00Z&to=2026-05-31T12:00:00Z").zoom).toEqual({
    from: NOW - 14 * hour,
    to: NOW - 12 * hour,
  });
  expect(view(`from=${NOW - 400 * 24 * hour}&to=${NOW - 366 * 24 * hour}`).zoom).toBeNull();
});

test("on the first day the range is the shortest that holds everything", () => {
  const since = (minutes: number) => {
    const points = [30 * 60, minutes, 1].map((before, index) => ({
      ts: new Date(NOW - before * 60_000).toISOString(),
      value: index === 0 ? null : 1,
    }));
    return firstDayRange(points, NOW);
  };
  expect([since(5), since(59), since(200), since(20 * 60)]).toEqual(["1h", "1h", "6h", "24h"]);
  expect(firstDayRange([], NOW)).toBe("1h");
  // The oldest point of a day began up to a minute and a half before it.
  expect([since(24 * 60), since(24 * 60 + 2), since(25 * 60)]).toEqual(["24h", "24h", "24h"]);
});

test("a part is chosen on the clock of who looks, and what cannot be shown says why", () => {
  const at = new Date(2026, 4, 3, 7, 5).getTime();
  expect(localText(at)).toBe("2026-05-03T07:05");
  expect(Date.parse(localText(at))).toBe(at);
  expect(dayStart(at, 1)).toBe(new Date(2026, 4, 2).getTime());
  const problem = (from: number, to: number) =>
    partProblem({ from: NOW + from * hour, to: NOW + to * hour }, NOW)?.field;
  expect(problem(-2, -1)).toBeUndefined();
  expect([problem(Number.NaN, 0), problem(1, 2), problem(-1, -2), problem(-1, Number.NaN)]).toEqual([
    "from",
    "from",
    "to",
    "to",
  ]);
  expect(problem(-400 * 24, -370 * 24)).toBe("to");
});

test("events that would overlap are one mark, and none is nearer to the next than a finger is wide", () => {
  const at = (minute: number) => ({ timestamp: new Date(NOW + minute * 60_000).toISOString() });
  const span: [number, number] = [NOW, NOW + hour];
  const groups = groupMarks([at(30), at(0), at(1), at(2), at(70)], span, 600);
  expect(groups.map(({ members }) => members.length)).toEqual([3, 1, 1]);
  expect(groups.map(({ at: share }) => share)).toEqual([0, 0.5, 1]);
  const crowd = groupMarks(
    Array.from({ length: 200 }, (_, index) => at(index * 0.3)),
    span,
    300,
  );
  for (const [index, group] of crowd.entries()) {
    const before = crowd[index - 1];
    if (before !== undefined) expect((group.at - before.at) * 300).toBeGreaterThanOrEqual(nearPx);
  }
  expect(crowd.reduce((sum, { members }) => sum + members.length, 0)).toBe(200);
});

test("a rule from a chart is about the figure that went highest, a little above it", () => {
  expect([0, 12, 61, 93, 100].map((seen) => thresholdAbove(seen, true))).toEqual([5, 15, 65, 95, 95]);
  expect([0, 7, 1234, 98_700_000].map((seen) => thresholdAbove(seen, false))).toEqual([1, 8, 1400, 110_000_000]);
  const start = alertStart([
    { metric: "in", values: [null, 5, 10] },
    { metric: "out", values: [50, null] },
  ]);
  expect(start).toEqual({ metric: "out", entity: "host", above: 55 });
  expect(alertStart([{ metric: "in", values: [null] }])).toBeNull();
  expect(alertHref({ metric: "cpu_percent", entity: "app:a&b", above: 20 })).toBe(
    "/alerts?tab=rules&new=cpu_percent&entity=app%3Aa%26b&above=20",
  );
});

test("threads are told by the busiest one and their mean; tones are fifths", () => {
  const threads = [
    [10, null, null],
    [90, 5, null],
  ];
  expect(threadsAt(threads, 0)).toEqual({ busiest: 1, percent: 90, mean: 50 });
  expect(threadsAt(threads, 2)).toBeNull();
  expect(newestPlace(threads, 3)).toBe(1);
  expect([0, 1.9, 2, 19, 20, 99, 100].map(toneOf)).toEqual([0, 0, 1, 1, 2, 5, 5]);
  expect([1, 12, 64, 256].map(rowHeight)).toEqual([16, 12, 2, 2]);
});

test("how far learning has come is said until the usual is known", () => {
  const ready_at = new Date(NOW + 21 * hour).toISOString();
  const of = (status: "ok" | "insufficient_data", at: string | null) =>
    learningOf({ status, learned_hours: 3, ready_at: at }, NOW);
  expect(of("insufficient_data", ready_at)).toEqual({ learned: 3, needed: 24 });
  expect([of("ok", null), of("insufficient_data", null)]).toEqual([null, null]);
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
  expect(busiestApp(apps, "cpu_percent", [1, 3])).toEqual({ app_id: "a9", values: [null, 9] });
  expect(busiestApp(apps.slice(0, 1), "cpu_percent", [0, 3])).toBeNull();
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
