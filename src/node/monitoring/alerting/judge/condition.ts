import { seconds } from "../../../../lib/duration.ts";
import type { RuleRow } from "../rules/rule-store.ts";
import type { Reading } from "./minutes.ts";
import type { AlertState, Condition, Sample } from "./step.ts";

/** What the state machine goes by. A change, a silence, a score and a state have their duration in the value itself. */
export function conditionOf(rule: RuleRow): Condition {
  const hasOwnSpan = rule.type === "rate" || rule.type === "absence";
  return {
    op: rule.op,
    threshold: rule.threshold,
    clear_threshold: rule.clear_threshold,
    for_ms: hasOwnSpan ? 0 : seconds(rule.for_s),
    clear_for_ms: seconds(rule.clear_for_s),
  };
}

/** A rule that asks for no duration does not wait for a minute to be whole. */
export const isImmediate = ({ type, for_s }: Pick<RuleRow, "type" | "for_s">): boolean =>
  type === "threshold" && for_s === 0;

/** How a rule's value is made of the minutes. */
export function readingOf(rule: Pick<RuleRow, "type">): Reading {
  if (rule.type === "rate") return "change";
  return rule.type === "absence" ? "silence" : "value";
}

/** A sample of something that is known all the time and not measured: it must have been bad for the whole of `for_ms`. */
export function sustained(value: number | null, state: AlertState, rule: Condition, now: number): Sample {
  const isLong = state.phase === "pending" && now - state.since >= rule.for_ms;
  return { value, mean: isLong ? value : null, coverage: 1, clear_coverage: 1, span_ms: 0, settling: false };
}

/**
 * Distance from usual that an anomaly rule goes by. Anomalies are told only past every gate of the detector: short of that
 * a value never reaches the threshold. Null without a score.
 */
export function anomalyValue(
  rule: Pick<RuleRow, "clear_threshold">,
  score: { z: number; is_past: boolean } | null,
): number | null {
  if (score === null) return null;
  const far = Math.abs(score.z);
  return score.is_past ? far : Math.min(far, rule.clear_threshold);
}
