import { expect, test } from "bun:test";
import type { Insights } from "../../../../src/node/monitoring/insights/contract.ts";
import { localWeek } from "./local-week.ts";
import { inDays, joinReasons, metricText, verdict } from "./words.ts";

const slots = Array.from({ length: 168 }, (_, index) => ({
  weekday: Math.floor(index / 24) + 1,
  hour: index % 24,
  mean: index,
  stddev: 1,
  weeks: 2,
}));

/** A date whose zone is `hours` ahead of UTC. */
const zoned = (hours: number): Date => {
  const date = new Date(0);
  date.getTimezoneOffset = () => -hours * 60;
  return date;
};

test("the week is shown in the reader's own time", () => {
  const first = (hours: number) => localWeek(slots, zoned(hours))[0]?.mean;
  expect([first(0), first(2), first(-5)]).toEqual([0, 166, 5]);
  expect(localWeek(slots, zoned(1)).map((place) => place?.mean)).toContain(167);
});

const app = (risk_level: "low" | "medium" | "high", name: string) => ({
  predictor: "app_health" as const,
  status: "ok" as const,
  app_name: name,
  restarts_24h: 0,
  restarts_7d: 0,
  oom_kills_24h: 0,
  crashes_24h: 0,
  risk_level,
  summary: `${name} is so.`,
});
const lack = { predictor: "resource_anomaly" as const, status: "insufficient_data" as const, reason: "x" };
const of = (...predictions: Insights["predictions"]): Insights => ({ scored_at: "x", predictions });

test("the sentence above all tells the worst there is", () => {
  expect(verdict(of(app("low", "a"), app("medium", "b"))).text).toBe("b is so.");
  expect(verdict(of(app("high", "a"), app("medium", "b"), app("high", "c")))).toEqual({
    state: "crit",
    text: "a is so. And 1 more.",
  });
  expect(verdict(of(app("low", "a")))).toEqual({ state: "ok", text: "Nothing ahead that needs you." });
  expect(verdict(of(app("low", "a"), lack)).text).toContain("as far as is known yet");
  expect(verdict(of(lack)).state).toBe("unknown");
});

test("figures have their units", () => {
  expect([inDays(0.4), inDays(1.2), inDays(12.4)]).toEqual(["today", "tomorrow", "in 12 days"]);
  expect(metricText("cpu_percent", 42.4)).toBe("42%");
  expect(metricText("cpu_temp_c", 61.2)).toBe("61 °C");
  expect(metricText("load1", 1.234)).toBe("1.23");
});

test("what many apps wait for is said once", () => {
  expect(joinReasons(["a: young", "b: young", "c: asleep", "d: young"])).toEqual(["a, b, d: young", "c: asleep"]);
  expect(joinReasons([..."abcde"].map((name) => `${name}: young`))).toEqual(["a, b and 3 more: young"]);
  expect(joinReasons(["No app is watched yet"])).toEqual(["No app is watched yet"]);
});
