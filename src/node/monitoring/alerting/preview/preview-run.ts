import { seconds } from "../../../../lib/duration.ts";
import { conditionOf } from "../judge/condition.ts";
import { MINUTE_MS } from "../judge/minutes.ts";
import { type AlertState, freshState, isPast, type Sample, step } from "../judge/step.ts";
import type { RuleRow } from "../rules/rule-store.ts";
import type { Target } from "../watched/world.ts";

export const CHART_STEP_S = 600;

/** One entity through the past. */
export interface Run {
  target: Target;
  spans: { start: number; end: number | null; peak: number | null }[];
  /** Worst value of each step of the chart. */
  values: (number | null)[];
  worst: number | null;
  /** Minutes that had a value. */
  measured: number;
}

const emptyRun = (target: Target): Run => ({ target, spans: [], values: [], worst: null, measured: 0 });

function follow(result: Run, before: AlertState, sample: Sample, rule: RuleRow, at: number): AlertState {
  const next = step(before, sample, conditionOf(rule), at);
  for (const effect of next.effects) {
    const open = result.spans.at(-1);
    if (effect.type === "open") result.spans.push({ start: effect.bad_since, end: null, peak: effect.value });
    if (effect.type === "resolve" && open) open.end = at;
  }
  const last = result.spans.at(-1);
  if (last && next.state.is_open) last.peak = next.state.peak;
  return next.state;
}

/** One entity's minutes from `from` to `to` (ms), by the same state machine that judges it from now on. */
export function runMinutes(
  rule: RuleRow,
  target: Target,
  from: number,
  to: number,
  read: (at: number, state: AlertState) => Sample,
): Run {
  const isWorse = (one: number, other: number) => other === one || isPast(rule.op, one, other);
  const result = emptyRun(target);
  let state = freshState(from);
  for (let at = from + MINUTE_MS; at <= to; at += MINUTE_MS) {
    const sample = read(at, state);
    const bucket = Math.floor((at - from - 1) / seconds(CHART_STEP_S));
    const before = result.values[bucket] ?? null;
    result.values[bucket] = before;
    if (sample.value !== null) {
      result.measured += 1;
      if (before === null || isWorse(sample.value, before)) result.values[bucket] = sample.value;
      if (result.worst === null || isWorse(sample.value, result.worst)) result.worst = sample.value;
    }
    state = follow(result, state, sample, rule, at);
  }
  return result;
}

/** A turn of one entity: to bad, to good, or away (null). Milliseconds. */
export interface Change {
  bad: boolean | null;
  at: number;
}

/** One entity through turns that are known to the moment; `bad` is how it was at `from`. */
export function runChanges(
  rule: RuleRow,
  target: Target,
  { from, to, bad, changes }: { from: number; to: number; bad: boolean; changes: readonly Change[] },
  read: (bad: boolean, state: AlertState, at: number) => Sample,
): Run {
  const result = emptyRun(target);
  let isBad = bad;
  let state = freshState(from);
  let next = 0;
  for (let minute = from + MINUTE_MS; minute <= to; minute += MINUTE_MS) {
    for (let change = changes[next]; change && change.at <= minute; change = changes[++next]) {
      isBad = change.bad ?? false;
      const open = result.spans.at(-1);
      if (change.bad === null) {
        if (open) open.end ??= change.at;
        state = freshState(change.at);
      } else state = follow(result, state, read(isBad, state, change.at), rule, change.at);
    }
    state = follow(result, state, read(isBad, state, minute), rule, minute);
  }
  for (const span of result.spans) span.peak = null;
  return result;
}
