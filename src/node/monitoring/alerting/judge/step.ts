/** How a value is compared. */
export type Op = ">" | ">=" | "<" | "<=";

/** What a rule asks of one entity, in milliseconds. */
export interface Condition {
  op: Op;
  threshold: number;
  /** On the good side of `threshold` or equal to it. */
  clear_threshold: number;
  /** The average over this long must be past the threshold; 0 takes the last value alone. */
  for_ms: number;
  /** Values must stay past the clear threshold for this long. */
  clear_for_ms: number;
}

export type Phase = "ok" | "pending" | "firing" | "clearing";

/** Everything known about one rule and one entity; goes to disk after each change. Times are ms UTC. */
export interface AlertState {
  phase: Phase;
  /** Since when the phase lasts. */
  since: number;
  /** When the value went bad that the open episode is about. */
  bad_since: number | null;
  /** Values before this count for nothing more: an episode ended there. */
  counted_from: number;
  /** Time of the last sample; one that is not later changes nothing. */
  at: number;
  value: number | null;
  /** Worst value of the open episode. */
  peak: number | null;
  /** Episodes last longer than their condition while it flaps. */
  is_open: boolean;
  flapping: boolean;
  /** When the condition began or ended, the last 30 minutes. */
  turns: readonly number[];
}

/** What a minute, or a moment, says. */
export interface Sample {
  /** Null: there is no data. */
  value: number | null;
  /** Average over `for_ms`. */
  mean: number | null;
  /** Share of the samples of `for_ms` and `clear_for_ms` that are there, 0 to 1. */
  coverage: number;
  clear_coverage: number;
  /** How long before now the value began to hold. */
  span_ms: number;
  /** We began to look only just now; what we see may be our own start. */
  settling: boolean;
}

export type Effect =
  | { type: "open"; bad_since: number; value: number }
  | { type: "resolve"; value: number }
  /** It flaps: nothing more is told until it was stable. */
  | { type: "flap" }
  /** It was stable long enough, and fires still. */
  | { type: "steady" };

const ENOUGH = 0.8;
const FLAP_WINDOW_MS = 1_800_000;
const FLAP_TURNS = 4;
const STABLE_MS = 900_000;
/** Nobody needs more of them, however wild it gets. */
const KEPT_TURNS = 16;

/** A rule and entity that nothing is known about yet. */
export const freshState = (now: number): AlertState => ({
  phase: "ok",
  since: now,
  bad_since: null,
  counted_from: 0,
  at: 0,
  value: null,
  peak: null,
  is_open: false,
  flapping: false,
  turns: [],
});

/** True when `value` is past `limit`. */
export function isPast(op: Op, value: number, limit: number): boolean {
  switch (op) {
    case ">":
      return value > limit;
    case ">=":
      return value >= limit;
    case "<":
      return value < limit;
    case "<=":
      return value <= limit;
  }
}

const isRising = (op: Op): boolean => op === ">" || op === ">=";
const worse = (op: Op, one: number | null, other: number): number =>
  one === null ? other : isRising(op) ? Math.max(one, other) : Math.min(one, other);

/** The condition alone, without episodes: where a value leads to. */
function nextPhase(state: AlertState, sample: Sample, value: number, rule: Condition, now: number): Phase {
  const isBad = isPast(rule.op, value, rule.threshold);
  if (state.phase === "ok" || state.phase === "pending") {
    const isLong = rule.for_ms === 0 || (now - state.counted_from >= rule.for_ms && sample.coverage >= ENOUGH);
    const mean = rule.for_ms === 0 ? value : sample.mean;
    const isMeanBad = mean !== null && isPast(rule.op, mean, rule.threshold);
    if (isBad && isLong && isMeanBad) return "firing";
    return isBad || (state.phase === "pending" && isMeanBad) ? "pending" : "ok";
  }
  if (isPast(rule.op, value, rule.clear_threshold)) return "firing";
  if (rule.clear_for_ms === 0) return "ok";
  const goodSince = state.phase === "clearing" ? state.since : now - sample.span_ms;
  return now - goodSince >= rule.clear_for_ms && sample.clear_coverage >= ENOUGH ? "ok" : "clearing";
}

const isUp = (phase: Phase): boolean => phase === "firing" || phase === "clearing";

/**
 * One sample further: ok → pending → firing → clearing → ok. Pure, so that a run that was interrupted and goes on from
 * the stored state ends like one that was not. Without data, and while we settle, everything stays as it is. Four turns
 * in 30 minutes are flapping: the episode then stays open until nothing turned for 15 minutes.
 */
export function step(
  state: AlertState,
  sample: Sample,
  rule: Condition,
  now: number,
): { state: AlertState; effects: Effect[] } {
  const { value } = sample;
  if (now <= state.at) return { state, effects: [] };
  if (value === null || sample.settling) return { state: { ...state, at: now }, effects: [] };

  const phase = nextPhase(state, sample, value, rule, now);
  const since = phase === "clearing" ? now - sample.span_ms : now;
  const next = { ...state, phase, value, at: now, since: phase === state.phase ? state.since : since };
  const effects: Effect[] = [];
  if (isPast(rule.op, value, rule.threshold)) next.bad_since = state.bad_since ?? now;
  else if (!isUp(phase) && phase !== "pending") next.bad_since = null;

  const hasTurned = isUp(phase) !== isUp(state.phase);
  if (hasTurned) {
    next.turns = [...state.turns.filter((turn) => now - turn < FLAP_WINDOW_MS), now].slice(-KEPT_TURNS);
    if (!isUp(phase)) next.counted_from = now;
  }
  const startsToFlap = hasTurned && !state.flapping && next.turns.length >= FLAP_TURNS;
  if (hasTurned && isUp(phase) && !state.is_open) {
    next.is_open = true;
    next.peak = null;
    effects.push({ type: "open", bad_since: next.bad_since ?? now, value });
  }
  if (startsToFlap) {
    next.flapping = true;
    effects.push({ type: "flap" });
  }
  if (next.is_open) next.peak = worse(rule.op, next.peak, value);

  const lastTurn = next.turns.at(-1) ?? now;
  if (next.flapping && !hasTurned && now - lastTurn >= STABLE_MS) {
    next.flapping = false;
    next.turns = [];
    if (isUp(phase)) effects.push({ type: "steady" });
  }
  if (next.is_open && !next.flapping && !isUp(phase)) {
    next.is_open = false;
    effects.push({ type: "resolve", value });
  }
  return { state: next, effects };
}

/** The same state after the wall clock was set back by `by` ms, so that spans keep their length. */
export function shiftState(state: AlertState, by: number): AlertState {
  return {
    ...state,
    since: state.since - by,
    bad_since: state.bad_since === null ? null : state.bad_since - by,
    counted_from: state.counted_from - by,
    at: state.at - by,
    turns: state.turns.map((turn) => turn - by),
  };
}
