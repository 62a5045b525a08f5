import { expect, test } from "bun:test";
import { minutes, seconds } from "../../../lib/duration.ts";
import { createErrorSamples } from "./error-samples.ts";

const BEGUN = minutes(1_000_000);
const told = (at: number, error_rate: number, requests: number) => ({
  ...{ cpu: 1, memory: 1, disk: 1, net_in: 1, net_out: 1, uptime_seconds: 1, critical: false },
  ...{ last_seen: BEGUN + at, error_rate, requests },
});

test("what is told within a minute is one point, weighed by requests; the same heartbeat counts once", () => {
  const samples = createErrorSamples();
  samples.note("r", 1, told(seconds(10), 0, 30));
  samples.note("r", 1, told(seconds(10), 0, 30));
  expect(samples.note("r", 1, told(seconds(30), 100, 10))).toEqual([
    { t: BEGUN + seconds(30), value: 25, requests: 40 },
  ]);
  expect(samples.note("r", 1, told(seconds(70), 0, 0))).toHaveLength(2);
  expect(samples.note("r", 2, told(seconds(70), 1, Number.NaN))).toEqual([
    { t: BEGUN + seconds(70), value: 1, requests: 0 },
  ]);
});

test("a node that tells none has none, half an hour is kept, and a rollout that is over is forgotten", () => {
  const samples = createErrorSamples();
  expect(samples.note("r", 1, told(0, Number.NaN, Number.NaN))).toEqual([]);
  for (let minute = 0; minute < 100; minute++) samples.note("r", 1, told(minutes(minute), 0, 1));
  const kept = samples.note("r", 1, told(minutes(100), 0, 1));
  expect(kept.map(({ t }) => (t - BEGUN) / minutes(1))).toEqual(Array.from({ length: 30 }, (_, index) => 71 + index));
  samples.forget("r");
  expect(samples.note("r", 1, told(minutes(101), 0, 1))).toHaveLength(1);
});

test("a clock that was set back begins anew", () => {
  const samples = createErrorSamples();
  samples.note("r", 1, told(minutes(60), 0, 1));
  expect(samples.note("r", 1, told(0, 3, 1))).toEqual([{ t: BEGUN, value: 3, requests: 1 }]);
});
