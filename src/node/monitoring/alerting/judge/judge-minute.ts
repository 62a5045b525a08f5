import { seconds } from "../../../../lib/duration.ts";
import type { Own } from "../needs.ts";
import type { RuleRow } from "../rules/rule-store.ts";
import { type Presence, targetsOf, type World } from "../watched/world.ts";
import { anomalyValue, conditionOf, isImmediate, readingOf, sustained } from "./condition.ts";
import { type Case, judge } from "./judge.ts";
import type { MinuteCache } from "./minute-cache.ts";
import { MINUTE_MS, readSample } from "./minutes.ts";
import { findState } from "./state-store.ts";

type Deps = Pick<Own, "db" | "ids" | "baselines" | "watched">;

/** What is seen this soon after a start may be the start itself. */
export const SETTLE_MS = seconds(60);

/** What one minute's judging has at hand. */
export interface Round {
  /** End of the minute. */
  at: number;
  cache: MinuteCache;
  world: World;
  isThere: Presence;
  /** Since when this run looks: silence before it says nothing. */
  since: number;
  holds: (ruleId: string | null) => boolean;
}

/** One judging. Its rule may have been changed by its turn, and its entity may be gone. */
export interface Task {
  rule: RuleRow;
  entity: string;
  run(): void;
}

function judgeAnomaly(deps: Deps, rule: RuleRow, of: Case, at: number): void {
  const { status, z, is_anomaly } = deps.baselines.scoreNow(rule.metric);
  const value = anomalyValue(rule, status === "ok" && z !== null ? { z, is_past: is_anomaly } : null);
  judge(deps, of, (state) => sustained(value, state, conditionOf(rule), at), at);
}

/** What is to be judged of a rule in one minute, entity by entity. */
export function tasksOf(deps: Deps, rule: RuleRow, { at, cache, world, isThere, since, holds }: Round): Task[] {
  const condition = conditionOf(rule);
  const settleMs = Math.max(condition.for_ms, SETTLE_MS);
  // A minute that began while we settled is still of our own making.
  const settling = at > since && at - MINUTE_MS < since + settleMs;
  const options = { spanMs: seconds(rule.for_s), knownFrom: since, settling };
  return targetsOf(deps, rule, world).map(({ entity, name }) => ({
    rule,
    entity,
    run() {
      const of = { rule, entity, name, held: holds(rule.id) };
      // A minute of which samples were judged says nothing more: its mean would fire again what ended within it.
      const judgedAt = isImmediate(rule) ? (findState(deps.db, { rule_key: rule.id, entity })?.at ?? 0) : 0;
      if (judgedAt > at - MINUTE_MS) return;
      if (rule.type === "anomaly") return judgeAnomaly(deps, rule, of, at);
      if (rule.type === "absence" ? !world.isExpected(entity) : !isThere(entity)) return;
      judge(deps, of, () => readSample(cache.of(entity, rule.metric), readingOf(rule), at, condition, options), at);
    },
  }));
}
