import { expect, test } from "bun:test";
import { judge, total } from "../../../../tests/bench/nab/judge.ts";
import { readOwn } from "../../../../tests/bench/nab/labelled.ts";
import { makeSeries } from "../../../../tests/kit/made-series.ts";
import { days, hours, minutes } from "../../../lib/duration.ts";
import { createDetector, type Detector, type Seen } from "./detector.ts";

const START = Date.UTC(2026, 0, 5);
const STEP = minutes(5);

/** A working day with a little noise that repeats every 40 minutes or so. */
function usual(t: number): number {
  const hour = (t / hours(1)) % 24;
  const base = hour >= 8 && hour < 18 ? 60 : 20;
  return base + 3 * Math.sin(t / minutes(7));
}

/** Feeds values from `from` to `to` and collects what the detector said. */
function feed(detector: Detector, from: number, to: number, valueAt: (t: number) => number): Seen[] {
  const seen: Seen[] = [];
  for (let t = from; t < to; t += STEP) seen.push(detector.add({ t, value: valueAt(t), spanMs: STEP }));
  return seen;
}

const began = (seen: readonly Seen[]) =>
  seen.flatMap(({ episode }) => (episode?.change === "began" ? [episode.is] : []));

test("series of the benchmark in which nothing is unusual raise nothing", () => {
  const quiet = readOwn().filter(({ name }) => name.startsWith("art-"));
  expect(quiet.length).toBe(5);
  for (const outcome of quiet.map(judge)) {
    expect(outcome).toMatchObject({ name: outcome.name, falseAlerts: 0 });
    expect(outcome.weeks).toBeGreaterThan(0.9);
  }
});

test("what is wild by nature is seldom called unusual", () => {
  const kinds = ["heavy tails", "few events", "now and then", "nightly job", "on and off"];
  const outcome = total(
    "wild",
    kinds.map((kind) => judge(makeSeries(kind, 11))),
  );
  expect(outcome.weeks).toBeGreaterThan(25);
  expect(outcome.falseAlerts / outcome.weeks).toBeLessThan(0.35);
});

test("what leaves the usual of an ordinary week is found", () => {
  const outcome = total(
    "found",
    ["daily", "working week", "growing"].map((kind) => judge(makeSeries(kind, 13))),
  );
  expect(outcome.windows).toBe(6);
  expect(outcome.hit).toBeGreaterThanOrEqual(5);
  expect(outcome.falseAlerts).toBe(0);
});

test("a change that stays is told once, and usual on the next day", () => {
  const detector = createDetector({ floor: 1 });
  const change = START + days(16);
  feed(detector, START, change, usual);
  const after = feed(detector, change, change + days(6), (t) => usual(t) + 45);
  expect(began(after).length).toBe(1);
  const ended = after.findIndex(({ episode }) => episode?.change === "ended");
  expect(ended * STEP).toBeLessThan(days(1));
  expect(after.at(-1)?.score?.is_past).toBe(false);
});

test("a week is learned before anything is judged", () => {
  const detector = createDetector({ floor: 1 });
  const seen = feed(detector, START, START + days(7) - hours(1), () => 5);
  expect(seen.every(({ score }) => score === null)).toBe(true);
  expect(detector.baseline.hoursToLearn(START / hours(1) + 24)).toBe(144);
  expect(feed(detector, START + days(7), START + days(8), () => 5).some(({ score }) => score !== null)).toBe(true);
});

test("an episode begins once, goes on without another word and ends when all is as usual again", () => {
  const detector = createDetector({ floor: 1 });
  const until = START + days(15) + hours(12);
  expect(began(feed(detector, START, until, usual))).toEqual([]);
  const high = feed(detector, until, until + hours(3), (t) => usual(t) + 35);
  expect(began(high).length).toBe(1);
  expect(began(high)[0]?.started_at).toBeGreaterThanOrEqual(until);
  expect(began(high)[0]?.started_at).toBeLessThan(until + hours(1));
  const after = feed(detector, until + hours(3), until + hours(12), usual);
  const ended = after.filter(({ episode }) => episode?.change === "ended");
  expect(ended.length).toBe(1);
  expect(ended[0]?.episode?.is.peak.z).toBeGreaterThan(4);
  const again = feed(detector, until + hours(12), until + hours(14), (t) => usual(t) + 35);
  expect(began(again)).toEqual([]);
  expect(again.some(({ episode }) => episode?.change === "went_on")).toBe(true);
});

test.each([
  [1, 1],
  [1000, 77],
  [40, 4711],
])("values that vary as they always did raise next to nothing: times %i, seed %i", (scale, seed) => {
  let state = seed;
  const random = (): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647 - 0.5;
  };
  const detector = createDetector({ floor: 1e-9 });
  let count = 0;
  for (let t = START; t < START + days(50); t += hours(1)) {
    const noise = (random() + random() + random() + random()) * 6;
    const { episode } = detector.add({ t, value: scale * (usual(t) + noise), spanMs: hours(1) });
    if (episode?.change === "began") count += 1;
  }
  expect(count).toBeLessThanOrEqual(2);
});

test("what was known goes on after a restart as if there had been none", () => {
  const until = START + days(20);
  const whole = createDetector({ floor: 1 });
  feed(whole, START, until + hours(6), usual);
  const before = createDetector({ floor: 1 });
  feed(before, START, until, usual);
  const after = createDetector({ floor: 1, known: before.baseline.learned() });
  feed(after, until - hours(2), until + hours(6), usual);
  expect(after.baseline.learned()).toEqual(whole.baseline.learned());
  expect(after.latest()).toEqual(whole.latest());
});

test("at most eight weeks of a slot are kept", () => {
  const detector = createDetector({ floor: 1 });
  for (let t = START; t < START + days(70); t += hours(1)) detector.add({ t, value: 1, spanMs: hours(1) });
  expect(detector.baseline.learned().length).toBe(168 * 8);
  expect(detector.baseline.weeksOf(0)).toBe(8);
});

test("samples from the past and hours with holes teach nothing", () => {
  const detector = createDetector({ floor: 1 });
  detector.add({ t: START, value: 5, spanMs: minutes(20) });
  expect(detector.add({ t: START, value: 9, spanMs: minutes(20) }).learned).toBeNull();
  detector.add({ t: START + hours(1), value: 5, spanMs: minutes(60) });
  detector.add({ t: START + hours(2), value: 5, spanMs: minutes(60) });
  expect(detector.baseline.learned().map(({ hour }) => hour)).toEqual([START / hours(1) + 1]);
});
