import { seconds } from "../../../../lib/duration.ts";
import type { Own } from "../needs.ts";
import type { RuleRow } from "../rules/rule-store.ts";
import { targetsOf } from "../watched/world.ts";
import { isImmediate } from "./condition.ts";
import { judge } from "./judge.ts";
import { type Round, SETTLE_MS, type Task } from "./judge-minute.ts";
import { MINUTE_MS } from "./minutes.ts";
import type { AlertState, Sample } from "./step.ts";

type Deps = Pick<Own, "db" | "ids" | "watched" | "series">;

/** What one sweep of the collector stands for. */
const SAMPLE_MS = seconds(10);

/** Whether the whole minutes of `clear_for` were measured; the running one is not in the series yet. */
function clearCoverage(rule: RuleRow, entity: string, at: number, { cache }: Round): number {
  const whole = seconds(rule.clear_for_s) - MINUTE_MS;
  if (whole <= 0) return 1;
  return cache.of(entity, rule.metric).window(Math.floor(at / MINUTE_MS) * MINUTE_MS, whole).coverage;
}

/**
 * What the last sample says to rules without a duration, entity by entity.
 */
export function immediateTasks(deps: Deps, rules: readonly RuleRow[], round: Round): Task[] {
  const { world, isThere, since, holds } = round;
  return rules.filter(isImmediate).flatMap((rule) =>
    targetsOf(deps, rule, world).flatMap(({ entity, name }) => {
      const latest = deps.series.latest(entity);
      const value = latest?.values[rule.metric] ?? null;
      if (latest === null || value === null) return [];
      const at = latest.t;
      const settling = at > since && at - SAMPLE_MS < since + SETTLE_MS;
      const sampleOf = ({ phase }: AlertState): Sample => ({
        value,
        mean: value,
        coverage: 1,
        clear_coverage: phase === "clearing" ? clearCoverage(rule, entity, at, round) : 1,
        span_ms: SAMPLE_MS,
        settling,
      });
      const run = (): void => {
        if (isThere(entity)) judge(deps, { rule, entity, name, held: holds(rule.id) }, sampleOf, at);
      };
      return [{ rule, entity, run }];
    }),
  );
}
