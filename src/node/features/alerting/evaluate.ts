import { minutes as minutesMs, seconds } from "../../../lib/duration.ts";
import type { NodeContext } from "../../context.ts";
import { scoreNow } from "../baselines/index.ts";
import { createHold } from "../maintenance/index.ts";
import { conditionOf, readingOf, sustained } from "./condition.ts";
import { judgeFacts } from "./facts.ts";
import { type Case, judge } from "./judge.ts";
import { createMinuteCache, type MinuteCache } from "./minute-cache.ts";
import { MINUTE_MS, readSample } from "./minutes.ts";
import { judgeSilence } from "./no-data.ts";
import { listEnabledRules, type RuleRow } from "./rule-store.ts";
import { listStatesAfter, readJudgedTo, saveJudgedTo, saveState } from "./state-store.ts";
import { shiftState } from "./step.ts";
import { createWorld, targetsOf, type World } from "./targets.ts";
import { type TellDeps, tellDue } from "./tell.ts";

export type EvaluateDeps = TellDeps & Pick<NodeContext, "series" | "baselines">;

/** How long after its end a minute is judged: the series must have it by then. */
const GRACE_MS = seconds(15);
/** After a pause (a restart, a sleeping machine) so much of what was measured meanwhile is looked at. */
const MAX_CATCH_UP_MS = minutesMs(60);
const PAUSE_MS = minutesMs(5);
const SETTLE_MS = seconds(60);

/** Since when this run looks: silence before it says nothing. */
export interface Watch {
  since: number;
}

/** What one minute's judging has at hand. */
interface Round {
  at: number;
  cache: MinuteCache;
  world: World;
  watch: Watch;
  holds: (ruleId: string | null) => boolean;
}

/** Anomalies are told only past every gate of the detector; without that a value never reaches the threshold. */
function judgeAnomaly(deps: EvaluateDeps, rule: RuleRow, of: Case, at: number): void {
  const { status, z, is_anomaly } = scoreNow(deps, rule.metric);
  const far = status === "ok" && z !== null ? Math.abs(z) : null;
  const value = far === null || is_anomaly ? far : Math.min(far, rule.clear_threshold);
  judge(deps, of, (state) => sustained(value, state, conditionOf(rule), at), at);
}

function judgeRule(deps: EvaluateDeps, rule: RuleRow, { at, cache, world, watch, holds }: Round): void {
  const condition = conditionOf(rule);
  const settleMs = Math.max(condition.for_ms, SETTLE_MS);
  // A minute that began while we settled is still of our own making.
  const settling = at > watch.since && at - MINUTE_MS < watch.since + settleMs;
  for (const { entity, name } of targetsOf(rule, world)) {
    const of = { rule, entity, name, held: holds(rule.id) };
    if (rule.type === "anomaly") {
      judgeAnomaly(deps, rule, of, at);
      continue;
    }
    if (rule.type === "absence" && !world.isExpected(entity)) continue;
    const options = { spanMs: seconds(rule.for_s), knownFrom: watch.since, settling };
    judge(deps, of, () => readSample(cache.of(entity, rule.metric), readingOf(rule), at, condition, options), at);
  }
}

/** After the wall clock was set back: what lies in the future is moved back with it, so that spans keep their length. */
function stepBack({ db }: EvaluateDeps, judgedTo: number, at: number): void {
  for (const { state, ...key } of listStatesAfter(db, at)) saveState(db, key, shiftState(state, judgedTo - at));
}

/** Judges every minute that is whole and not judged yet, then what events told, and tells what is due. */
export function evaluate(deps: EvaluateDeps, watch: Watch): void {
  const { db, clock } = deps;
  const now = clock.now();
  const last = Math.floor((now - GRACE_MS) / MINUTE_MS) * MINUTE_MS;
  db.tx(() => {
    const judgedTo = readJudgedTo(db);
    if (judgedTo !== null && judgedTo > last + MINUTE_MS) stepBack(deps, judgedTo, last);
    const isBack = judgedTo === null || judgedTo > last + MINUTE_MS;
    const from = isBack ? last - MINUTE_MS : judgedTo;
    if (last - from > PAUSE_MS) watch.since = Math.max(watch.since, now);
    if (isBack) watch.since = Math.min(watch.since, now);
    if (last > from) judgeMinutes(deps, watch, Math.max(from, last - MAX_CATCH_UP_MS), last);
    if (last !== judgedTo) saveJudgedTo(db, last);
    judgeFacts(deps, now);
    tellDue(deps, now);
  });
}

function judgeMinutes(deps: EvaluateDeps, watch: Watch, from: number, last: number): void {
  const rules = listEnabledRules(deps.db).filter(({ type }) => type !== "state");
  const longest = Math.max(0, ...rules.map((rule) => Math.max(rule.for_s, rule.clear_for_s)));
  const cache = createMinuteCache(deps, from - seconds(longest) - minutesMs(30), last);
  const world = createWorld(deps);
  const holds = createHold(deps.db, deps.clock.now());
  for (let at = from + MINUTE_MS; at <= last; at += MINUTE_MS) {
    const round = { at, cache, world, watch, holds };
    for (const rule of rules) judgeRule(deps, rule, round);
    judgeSilence(deps, rules, round);
  }
}
