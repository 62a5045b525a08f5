import { toIso } from "../../../../lib/clock.ts";
import { hours, minutes as minutesMs, seconds } from "../../../../lib/duration.ts";
import type { RuleInput, RulePreview } from "../contract.ts";
import { listFacts, listTurns } from "../facts/fact-store.ts";
import { anomalyValue, conditionOf, readingOf, sustained } from "../judge/condition.ts";
import { createMinuteCache } from "../judge/minute-cache.ts";
import { MINUTE_MS, readSample } from "../judge/minutes.ts";
import type { Pause } from "../judge/slices.ts";
import { isPast } from "../judge/step.ts";
import type { Own } from "../needs.ts";
import { settleRule } from "../rules/rule-input.ts";
import type { RuleRow } from "../rules/rule-store.ts";
import { tellUnit } from "../watched/watched.ts";
import { createWorld, selects, targetsOf } from "../watched/world.ts";
import { CHART_STEP_S, type Run, runChanges, runMinutes } from "./preview-run.ts";

type Deps = Pick<Own, "db" | "clock" | "series" | "baselines" | "watched">;

const MAX_ENTITIES = 50;
const MAX_SPANS = 200;
const SPAN_MS = hours(24);

interface Past {
  runs: Run[];
  /** Share of the minutes that is known. */
  coverage: number;
  /** Why nothing can be said; null when it can. */
  lack: string | null;
}

const shareOf = (minutes: number, runs: number): number => (runs === 0 ? 0 : minutes / (runs * (SPAN_MS / MINUTE_MS)));

const NOTHING_MEASURED = "Nothing was measured in the last 24 hours, so there is no past to look at.";

/** What was measured, by the rule's own reading. */
async function livePast(deps: Deps, rule: RuleRow, from: number, to: number, pause: Pause): Promise<Past> {
  const condition = conditionOf(rule);
  const options = { spanMs: seconds(rule.for_s), knownFrom: from, settling: false };
  const runs: Run[] = [];
  for (const target of targetsOf(deps, rule, createWorld(deps)).slice(0, MAX_ENTITIES)) {
    const cache = createMinuteCache(deps, from - seconds(rule.for_s) - minutesMs(5), to);
    const minutes = cache.of(target.entity, rule.metric);
    runs.push(runMinutes(rule, target, from, to, (at) => readSample(minutes, readingOf(rule), at, condition, options)));
    await pause();
  }
  const measured = runs.reduce((sum, one) => sum + one.measured, 0);
  const coverage = shareOf(measured, runs.length);
  return { runs, coverage, lack: coverage === 0 ? NOTHING_MEASURED : null };
}

/** The detector once more through the day, by what it knew at the time. */
async function liveAnomalies(deps: Deps, rule: RuleRow, from: number, to: number, pause: Pause): Promise<Past> {
  const scores = new Map((await deps.baselines.replay(rule.metric, from, to, pause)).map((score) => [score.t, score]));
  const condition = conditionOf(rule);
  const target = { entity: "host", name: createWorld(deps).nameOf("host") };
  const run = runMinutes(rule, target, from, to, (at, state) =>
    sustained(anomalyValue(rule, scores.get(at) ?? null), state, condition, at),
  );
  const coverage = shareOf(run.measured, 1);
  const reason = deps.baselines.describe(rule.metric).reason ?? "The baseline is younger than the last 24 hours.";
  return { runs: [run], coverage, lack: coverage === 0 ? reason : null };
}

/** What events told, to the moment; the server's own minutes say when anybody listened. */
function liveFacts(deps: Deps, rule: RuleRow, from: number, to: number): Past {
  const { db, series } = deps;
  const coverage = Math.min(1, series.read("host", "m1", from, to).length / (SPAN_MS / MINUTE_MS));
  if (coverage === 0) return { runs: [], coverage, lack: "Nothing was watching for this in the last 24 hours." };
  const condition = conditionOf(rule);
  const turns = Map.groupBy(listTurns(db, rule.metric, from), ({ entity }) => entity);
  const facts = new Map(listFacts(db, rule.metric).map((fact) => [fact.entity, fact]));
  const entities = [...new Set([...turns.keys(), ...facts.keys()])].filter((entity) =>
    selects(deps, rule.entity, entity),
  );
  const runs = entities.slice(0, MAX_ENTITIES).map((entity) => {
    const changes = turns.get(entity) ?? [];
    const name = changes.at(-1)?.entity_name ?? facts.get(entity)?.entity_name ?? entity;
    // What turned good first had been bad before; what did not turn at all is as it was.
    const first = changes[0];
    const bad = first === undefined ? (facts.get(entity)?.bad ?? false) : first.bad !== true;
    return runChanges(rule, { entity, name }, { from, to, bad, changes }, (isBad, state, at) =>
      sustained(isBad ? 1 : 0, state, condition, at),
    );
  });
  return { runs, coverage, lack: null };
}

/**
 * How often a rule would have fired in the last 24 hours, with when, and the curve of what was worst. Lets others have
 * their turn between entities. Throws what the rule's fields deserve.
 */
export async function previewRule(deps: Deps, input: RuleInput, pause: Pause): Promise<RulePreview> {
  const settled = settleRule(deps, input);
  const { unit, ...fields } = settled;
  const rule: RuleRow = { ...fields, id: "", starter: 0, created_by: null, created_at: "", updated_at: "" };
  const to = Math.floor(deps.clock.now() / MINUTE_MS) * MINUTE_MS;
  const from = to - SPAN_MS;
  const past = await lookBack(deps, rule, from, to, pause);
  return {
    status: past.lack === null ? "ok" : "insufficient_data",
    reason: past.lack,
    coverage: past.coverage,
    ...present(rule, past.runs, from, to, rule.type === "absence" || rule.type === "anomaly" ? "none" : unit),
  };
}

function lookBack(deps: Deps, rule: RuleRow, from: number, to: number, pause: Pause): Promise<Past> | Past {
  if (rule.type === "state") return liveFacts(deps, rule, from, to);
  return rule.type === "anomaly" ? liveAnomalies(deps, rule, from, to, pause) : livePast(deps, rule, from, to, pause);
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
  return {
    would_fire: spans.length,
    from: toIso(from),
    to: toIso(to),
    spans: spans.toSorted((a, b) => a.started_at.localeCompare(b.started_at)).slice(-MAX_SPANS),
    chart: worst && {
      entity: worst.target.entity,
      entity_name: worst.target.name,
      start: toIso(from),
      step_seconds: CHART_STEP_S,
      values: worst.values,
      threshold: rule.threshold,
      clear_threshold: rule.clear_threshold,
      unit: tellUnit(unit),
    },
  };
}
