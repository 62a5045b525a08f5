import { expect, test } from "bun:test";
import fc from "fast-check";
import { faultsOf, live, randomStory, slowTurns } from "../../../../../tests/kit/alert-series.ts";
import { type Condition, freshState, type Sample, shiftState, step } from "./step.ts";

/** A small generator: one seed is one story, which fast-check can repeat. */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

test("each episode is told once and once over on every channel, whatever restarts and fails", () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const story = randomStory(seeded(seed));
      const outcome = live(story);
      expect(faultsOf(story, outcome)).toEqual([]);
      const calm = live({ ...story, restarts: new Set() });
      expect(outcome).toEqual(calm);
    }),
    { numRuns: 500 },
  );
});

test("without flapping, episodes are where the plain words of the rule say", () => {
  let compared = 0;
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const story = randomStory(seeded(seed));
      const turns = slowTurns(story);
      const flaps = turns.some((turn, index) => turn - (turns[index - 3] ?? Number.NEGATIVE_INFINITY) < 30);
      if (flaps) return;
      compared += 1;
      const found = live(story).episodes.flatMap(({ start, end }) => (end === null ? [start] : [start, end]));
      expect(found).toEqual(turns);
    }),
    { numRuns: 500 },
  );
  expect(compared).toBeGreaterThan(150);
});

const MINUTE = 60_000;
const T0 = 1_700_000_000_000;
const above: Condition = { op: ">", threshold: 90, clear_threshold: 85, for_ms: 0, clear_for_ms: 0 };
const sample = (value: number | null, more: Partial<Sample> = {}): Sample => ({
  value,
  mean: value,
  coverage: 1,
  clear_coverage: 1,
  span_ms: 0,
  settling: false,
  ...more,
});

test("between both thresholds everything stays as it was", () => {
  const low = step(freshState(T0), sample(87), above, T0);
  expect([low.state.phase, low.effects]).toEqual(["ok", []]);
  const high = step(low.state, sample(95), above, T0 + MINUTE);
  expect(high.effects).toEqual([{ type: "open", bad_since: T0 + MINUTE, value: 95 }]);
  const between = step(high.state, sample(87), above, T0 + 2 * MINUTE);
  expect([between.state.phase, between.effects]).toEqual(["firing", []]);
  expect(step(between.state, sample(85), above, T0 + 3 * MINUTE).effects).toEqual([{ type: "resolve", value: 85 }]);
});

test("too few samples neither fire nor clear", () => {
  const slow = { ...above, for_ms: 5 * MINUTE, clear_for_ms: 2 * MINUTE };
  const pending = step(freshState(T0), sample(95, { coverage: 0.79 }), slow, T0);
  expect(pending.state.phase).toBe("pending");
  const firing = step(pending.state, sample(95, { coverage: 0.8 }), slow, T0 + MINUTE);
  expect(firing.state.phase).toBe("firing");
  let { state } = step(firing.state, sample(10), slow, T0 + 2 * MINUTE);
  expect(state.phase).toBe("clearing");
  state = step(state, sample(10, { clear_coverage: 0.5 }), slow, T0 + 9 * MINUTE).state;
  expect(state.phase).toBe("clearing");
  expect(step(state, sample(10), slow, T0 + 10 * MINUTE).effects).toEqual([{ type: "resolve", value: 10 }]);
});

test.each([["no data", sample(null)] as const, ["settling", sample(10, { settling: true })] as const])(
  "%s holds what fires",
  (_, held) => {
    const { state } = step(freshState(T0), sample(95), above, T0);
    const after = step(state, held, above, T0 + MINUTE);
    expect([after.state.phase, after.effects]).toEqual(["firing", []]);
  },
);

test("the old average does not fire again right after the end", () => {
  const slow = { ...above, for_ms: 5 * MINUTE };
  let { state } = step(freshState(T0), sample(95), slow, T0);
  state = step(state, sample(20, { mean: 92 }), slow, T0 + MINUTE).state;
  expect(state.phase).toBe("ok");
  expect(step(state, sample(95, { mean: 93 }), slow, T0 + 2 * MINUTE).state.phase).toBe("pending");
  expect(step(state, sample(95, { mean: 93 }), slow, T0 + 6 * MINUTE).state.phase).toBe("firing");
});

test("a clock that is set back moves all times alike", () => {
  const { state } = step(freshState(T0), sample(95), above, T0);
  const shifted = shiftState(state, 3_600_000);
  expect(shifted).toMatchObject({ since: T0 - 3_600_000, at: T0 - 3_600_000, bad_since: T0 - 3_600_000 });
  expect(shifted.turns).toEqual([T0 - 3_600_000]);
});
