import type { AlertCount } from "../../../event-meaning.ts";
import { endEvent } from "../events/end-event.ts";
import { listOpenOfEntity } from "../events/event-store.ts";
import { type TellDeps, tellAbout } from "../events/tell.ts";
import { conditionOf, sustained } from "../judge/condition.ts";
import { judge } from "../judge/judge.ts";
import { listEnabledRules } from "../rules/rule-store.ts";
import { type Presence, selects } from "../watched/world.ts";
import { forgetCounts, listCounts, noteCount, settleCount } from "./counts.ts";
import { deleteFacts, type Fact, findFact, listFacts, listFactsOf, logTurn, saveFact } from "./fact-store.ts";

/** Takes in an event, in the transaction of whoever emits it: a crash right after loses nothing. */
export function hearEvent(deps: TellDeps, name: string, data: object): void {
  const { db, clock, meanings } = deps;
  const now = clock.now();
  const meaning = meanings.get(name);
  if (meaning?.alertCount) hearCounted(deps, meaning.alertCount, data, now);
  const word = meaning?.alert?.(data);
  if (!word) return;
  db.tx(() => {
    if ("gone" in word) {
      for (const fact of listFactsOf(db, word.gone)) if (fact.bad) logTurn(db, { ...fact, bad: null, at: now });
      forgetCounts(deps, word.gone);
      deleteFacts(db, word.gone);
      for (const event of listOpenOfEntity(db, word.gone)) endEvent(deps, event, word.ending, now);
      tellAbout(deps, { entity: word.gone }, now);
      return;
    }
    const known = findFact(db, word.metric, word.entity);
    // What was never bad need not be known to be good.
    if (!word.bad && !known?.bad) return;
    const entity_name = word.name ?? known?.entity_name ?? word.entity;
    const fact = { ...word, entity_name, message: word.bad ? word.message : (known?.message ?? ""), at: now };
    saveFact(db, fact);
    if (word.bad !== (known?.bad ?? false)) logTurn(db, fact);
    judgeFacts(deps, now);
    tellAbout(deps, { entity: word.entity }, now);
  });
}

function hearCounted(deps: TellDeps, rule: AlertCount, data: object, now: number): void {
  deps.db.tx(() => {
    const entity = noteCount(deps, rule, data, now);
    if (entity === null) return;
    judgeFacts(deps, now);
    tellAbout(deps, { entity }, now);
  });
}

/** A thing that recovered at once, such as an app that Docker started again, has no event for that. */
function refresh(deps: TellDeps, counts: readonly AlertCount[], known: Fact, now: number): Fact {
  const { db, clock, lists } = deps;
  const fact = settleCount(deps, counts, known, now);
  const recovery = lists.recoveries.all().find(({ metric }) => metric === fact.metric);
  if (!fact.bad || clock.now() - fact.at < 1000 || !recovery?.isGood(fact.entity)) return fact;
  const better = { ...fact, bad: false };
  saveFact(db, better);
  logTurn(db, { ...better, at: now });
  return better;
}

const always: Presence = () => true;

/** Judges state rules by what is known of things that are there; inside the caller's transaction. */
export function judgeFacts(deps: TellDeps, now: number, isThere: Presence = always): void {
  const { db, watched, maintenance } = deps;
  const rules = listEnabledRules(db).filter(({ type }) => type === "state");
  if (rules.length === 0) return;
  const holds = maintenance.createHold(now);
  const counts = listCounts(deps);
  for (const { name: metric } of watched.states()) {
    const facts = listFacts(db, metric).map((fact) => refresh(deps, counts, fact, now));
    for (const rule of rules.filter((one) => one.metric === metric)) {
      for (const { entity, entity_name, bad, message } of facts) {
        if (!selects(deps, rule.entity, entity) || (bad && !isThere(entity))) continue;
        const of = { rule, entity, name: entity_name, message, held: holds(rule.id) };
        judge(deps, of, (state) => sustained(bad ? 1 : 0, state, conditionOf(rule), now), now);
      }
    }
  }
}
