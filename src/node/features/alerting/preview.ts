import { toIso } from "../../../lib/clock.ts";
import { hours, minutes as minutesMs, seconds } from "../../../lib/duration.ts";
import type { NodeContext } from "../../context.ts";
import { conditionOf, readingOf } from "./condition.ts";
import type { RuleInput, RulePreview } from "./contract.ts";
import { createMinuteCache } from "./minute-cache.ts";
import { MINUTE_MS, type Minutes, readSample } from "./minutes.ts";
import { settleRule } from "./rule-input.ts";
import type { RuleRow } from "./rule-store.ts";
import { freshState, isPast, type Sample, step } from "./step.ts";
import { createWorld, type Target, targetsOf } from "./targets.ts";

type Deps = Pick<NodeContext, "db" | "clock" | "series" | "settings" | "host">;

const MAX_ENTITIES = 50;
const MAX_SPANS = 200;
const CHART_STEP_S = 600;
const SPAN_MS = hours(24);

const UNSUPPORTED: Partial<Record<RuleRow["type"], string>> = {
  anomaly: "What is unusual is judged hour by hour as it comes; the past cannot be judged again.",
  state: "This rule follows events, and nothing was watching for them yet.",
};

interface Run {
  target: Target;
  spans: { start: number; end: number | null; peak: number | null }[];
  /** Worst value of each step of the chart. */
  values: (number | null)[];
  worst: number | null;
  measured: number;
}

/** One entity through the last 24 hours, by the same state machine that judges it from now on. */
function run(rule: RuleRow, target: Target, minutes: Minutes, from: number, to: number): Run {
  const condition = conditionOf(rule);
  const isWorse = (one: number, other: number) => other === one || isPast(condition.op, one, other);
  const options = { spanMs: seconds(rule.for_s), knownFrom: from, settling: false };
  const result: Run = { target, spans: [], values: [], worst: null, measured: 0 };
  let state = freshState(from);
  for (let at = from + MINUTE_MS; at <= to; at += MINUTE_MS) {
    const sample: Sample = readSample(minutes, readingOf(rule), at, condition, options);
    const bucket = Math.floor((at - from - 1) / seconds(CHART_STEP_S));
    const before = result.values[bucket] ?? null;
    result.values[bucket] = before;
    if (sample.value !== null) {
      result.measured += 1;
      if (before === null || isWorse(sample.value, before)) result.values[bucket] = sample.value;
      if (result.worst === null || isWorse(sample.value, result.worst)) result.worst = sample.value;
    }
    const next = step(state, sample, condition, at);
    const open = result.spans.at(-1);
    for (const effect of next.effects) {
      if (effect.type === "open") result.spans.push({ start: effect.bad_since, end: null, peak: effect.value });
      if (effect.type === "resolve" && open) open.end = at;
    }
    const last = result.spans.at(-1);
    if (last && next.state.is_open) last.peak = next.state.peak;
    state = next.state;
  }
  return result;
}

/**
 * How often a rule would have fired in the last 24 hours, with when, and the curve of what was worst. Lets others have
 * their turn between entities. Throws what the rule's fields deserve.
 */
export async function previewRule(deps: Deps, input: RuleInput, pause: () => Promise<void>): Promise<RulePreview> {
  const settled = settleRule(input);
  const { unit, ...fields } = settled;
  const rule: RuleRow = { ...fields, id: "", starter: 0, created_by: null, created_at: "", updated_at: "" };
  const to = Math.floor(deps.clock.now() / MINUTE_MS) * MINUTE_MS;
  const from = to - SPAN_MS;
  const reason = UNSUPPORTED[rule.type] ?? null;
  const runs: Run[] = [];
  const targets = reason === null ? targetsOf(rule, createWorld(deps)).slice(0, MAX_ENTITIES) : [];
  for (const target of targets) {
    const cache = createMinuteCache(deps, from - seconds(rule.for_s) - minutesMs(5), to);
    runs.push(run(rule, target, cache.of(target.entity, rule.metric), from, to));
    await pause();
  }
  return {
    supported: reason === null,
    reason,
    ...present(rule, runs, from, to, rule.type === "absence" ? "none" : unit),
  };
}

function present(rule: RuleRow, runs: readonly Run[], from: number, to: number, unit: string) {
  const spans = runs.flatMap(({ target, spans: own }) =>
    own.map(({ start, end, peak }) => ({
      entity: target.entity,
      entity_name: target.name,
      started_at: toIso(start),
      ended_at: end === null ? null : toIso(end),
      peak,
    })),
  );
  const known = runs.filter((one): one is Run & { worst: number } => one.worst !== null);
  const worst = known.reduce<(Run & { worst: number }) | null>(
    (best, one) => (best === null || isPast(rule.op, one.worst, best.worst) ? one : best),
    null,
  );
  const total = runs.length * (SPAN_MS / MINUTE_MS);
  return {
    would_fire: spans.length,
    from: toIso(from),
    to: toIso(to),
    coverage: total === 0 ? 0 : runs.reduce((sum, { measured }) => sum + measured, 0) / total,
    spans: spans.toSorted((a, b) => a.started_at.localeCompare(b.started_at)).slice(-MAX_SPANS),
    chart: worst && {
      entity: worst.target.entity,
      entity_name: worst.target.name,
      start: toIso(from),
      step_seconds: CHART_STEP_S,
      values: worst.values,
      threshold: rule.threshold,
      clear_threshold: rule.clear_threshold,
      unit,
    },
  };
}
