import { minutes as minutesMs, seconds } from "../../../../lib/duration.ts";
import { type TellDeps, tellAllDue } from "../events/tell.ts";
import { judgeFacts } from "../facts/facts.ts";
import type { Own } from "../needs.ts";
import { listEnabledRules } from "../rules/rule-store.ts";
import { createIdleCheck, createPresence, createWorld, type Presence } from "../watched/world.ts";
import { isImmediate } from "./condition.ts";
import { type Round, type Task, tasksOf } from "./judge-minute.ts";
import { immediateTasks } from "./judge-now.ts";
import { createMinuteCache } from "./minute-cache.ts";
import { MINUTE_MS } from "./minutes.ts";
import { endUnwatched, silenceTasks } from "./no-data.ts";
import { endGone } from "./presence.ts";
import { inSlices, type Pause } from "./slices.ts";
import { listStatesAfter, readJudgedTo, saveJudgedTo, saveState } from "./state-store.ts";
import { shiftState } from "./step.ts";

export type EvaluateDeps = TellDeps & Pick<Own, "series" | "baselines">;

/** How long after its end a minute is judged at the latest: the series must have it by then. */
const GRACE_MS = seconds(15);
/** After a pause (a restart, a sleeping machine) so much of what was measured meanwhile is looked at. */
const MAX_CATCH_UP_MS = minutesMs(60);
const PAUSE_MS = minutesMs(5);

/** What one run of the program remembers between its rounds. */
export interface Watch {
  /** Since when this run looks: silence before it says nothing. */
  since: number;
  /** Things with open events that are gone, and since when. */
  missing: Map<string, number>;
}

/** After the wall clock was set back: what lies in the future is moved back with it, so that spans keep their length. */
function stepBack({ db }: EvaluateDeps, judgedTo: number, at: number): void {
  for (const { state, ...key } of listStatesAfter(db, at)) saveState(db, key, shiftState(state, judgedTo - at));
}

/** End of the last minute that was judged; minds a clock that was set and a pause. */
function beginRound(deps: EvaluateDeps, watch: Watch, last: number): number {
  const { db, clock } = deps;
  const now = clock.now();
  return db.tx(() => {
    const judgedTo = readJudgedTo(db);
    if (judgedTo !== null && judgedTo > last + MINUTE_MS) stepBack(deps, judgedTo, last);
    const isBack = judgedTo === null || judgedTo > last + MINUTE_MS;
    const from = isBack ? last - MINUTE_MS : judgedTo;
    if (last - from > PAUSE_MS) watch.since = Math.max(watch.since, now);
    if (isBack) {
      watch.since = Math.min(watch.since, now);
      saveJudgedTo(db, from);
    }
    return from;
  });
}

/** End of the last whole minute that the series have: a sample from after it was written when the minute was. */
function lastWhole({ clock, series }: EvaluateDeps): number {
  const whole = Math.floor(clock.now() / MINUTE_MS) * MINUTE_MS;
  const isWritten = (series.latest("host")?.t ?? 0) >= whole;
  return isWritten ? whole : Math.floor((clock.now() - GRACE_MS) / MINUTE_MS) * MINUTE_MS;
}

/** Judges what is still as it was when the round began; the rest has its turn in the next minute. */
function runTasks({ db, watched }: EvaluateDeps, tasks: readonly Task[]): void {
  db.tx(() => {
    const known = new Map(listEnabledRules(db).map((rule) => [rule.id, rule.updated_at]));
    const isIdle = createIdleCheck({ watched });
    for (const { rule, entity, run } of tasks) {
      const isStored = rule.created_at !== "";
      if (isStored && known.get(rule.id) !== rule.updated_at) continue;
      if (rule.type !== "absence" && isIdle(entity)) continue;
      run();
    }
  });
}

/**
 * Judges every minute that is whole and not judged yet, then what events told, and tells what is due. Slice by slice, each
 * in a transaction of its own, with others having their turn in between. Killed between two slices, the next round judges
 * the minute again: what was judged knows so by the time in its state, and what was told by its own row.
 */
export async function evaluate(deps: EvaluateDeps, watch: Watch, pause: Pause): Promise<void> {
  const { db, clock } = deps;
  const last = lastWhole(deps);
  const from = beginRound(deps, watch, last);
  const isThere = createPresence(deps);
  if (last > from) await judgeMinutes(deps, watch, isThere, Math.max(from, last - MAX_CATCH_UP_MS), last, pause);
  await judgeLatest(deps, watch, isThere, pause);
  db.tx(() => {
    endGone(deps, isThere, watch.missing, clock.now());
    judgeFacts(deps, clock.now(), isThere);
  });
  await tellAllDue(deps, pause);
}

async function judgeMinutes(
  deps: EvaluateDeps,
  watch: Watch,
  isThere: Presence,
  from: number,
  last: number,
  pause: Pause,
): Promise<void> {
  const { db } = deps;
  const rules = listEnabledRules(db).filter(({ type }) => type !== "state");
  const longest = Math.max(0, ...rules.map((rule) => Math.max(rule.for_s, rule.clear_for_s)));
  const cache = createMinuteCache(deps, from - seconds(longest) - minutesMs(30), last);
  const world = createWorld(deps);
  const holds = deps.maintenance.createHold(deps.clock.now());
  for (let at = from + MINUTE_MS; at <= last; at += MINUTE_MS) {
    const round: Round = { at, cache, world, isThere, since: watch.since, holds };
    const silences = silenceTasks(deps, rules, round);
    const tasks = [...rules.flatMap((rule) => tasksOf(deps, rule, round)), ...silences];
    await inSlices(deps, tasks, pause, (slice) => runTasks(deps, slice));
    db.tx(() => {
      endUnwatched(deps, new Set(silences.map(({ entity }) => entity)), at);
      saveJudgedTo(db, at);
    });
  }
}

/** Judges rules without a duration by the samples of the last seconds. */
async function judgeLatest(deps: EvaluateDeps, { since }: Watch, isThere: Presence, pause: Pause): Promise<void> {
  const rules = listEnabledRules(deps.db).filter(isImmediate);
  if (rules.length === 0) return;
  const now = deps.clock.now();
  const longest = Math.max(...rules.map(({ clear_for_s }) => clear_for_s));
  const cache = createMinuteCache(deps, now - seconds(longest) - MINUTE_MS, now);
  const holds = deps.maintenance.createHold(now);
  const round: Round = { at: now, cache, world: createWorld(deps), isThere, since, holds };
  await inSlices(deps, immediateTasks(deps, rules, round), pause, (slice) => runTasks(deps, slice));
}
