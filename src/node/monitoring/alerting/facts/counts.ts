import type { NodeBase } from "../../../base.ts";
import type { AlertCount } from "../../../event-meaning.ts";
import { countTurns, deleteTurns, type Fact, findFact, logTurn, saveFact } from "./fact-store.ts";

type Deps = Pick<NodeBase, "db" | "meanings">;

/** What comes fast comes up to ten times a second; one note cannot count for more. */
const MOST_AT_ONCE = 1_000;

/** The states that are bad when an event comes too often. */
export const listCounts = ({ meanings }: Pick<Deps, "meanings">): AlertCount[] =>
  [...meanings.values()].flatMap(({ alertCount }) => alertCount ?? []);

/** Apart from `judgeFacts`: what is good needs no judging until it was bad. */
function write(db: Deps["db"], fact: Fact): void {
  saveFact(db, fact);
  logTurn(db, fact);
}

/**
 * Counts an event of which too many are trouble, such as the unexpected ends of an app: they are a crash loop, however well the
 * app is in between. The entity whose state turned bad with it, else null. Inside the caller's transaction.
 */
export function noteCount({ db }: Deps, rule: AlertCount, data: object, now: number): string | null {
  const { metric, counted, limit, within_ms } = rule;
  const { entity, name, times } = rule.count(data);
  const turn = { metric: counted, entity, entity_name: name, bad: true, at: now };
  logTurn(db, turn, Math.min(MOST_AT_ONCE, Math.max(1, times)));
  const count = countTurns(db, counted, entity, now - within_ms);
  if (count < limit || findFact(db, metric, entity)?.bad) return null;
  write(db, { metric, entity, entity_name: name, bad: true, message: rule.message(data, count), at: now });
  return entity;
}

/** The state is good again when fewer lie in the span than it takes. */
export function settleCount({ db }: Pick<Deps, "db">, counts: readonly AlertCount[], fact: Fact, now: number): Fact {
  const rule = counts.find(({ metric }) => metric === fact.metric);
  if (!rule || !fact.bad) return fact;
  if (countTurns(db, rule.counted, fact.entity, now - rule.within_ms) >= rule.limit) return fact;
  const better = { ...fact, bad: false, at: now };
  write(db, better);
  return better;
}

/** What was counted before a thing was stopped or taken away says nothing about its next life. */
export function forgetCounts(deps: Deps, entity: string): void {
  for (const { counted } of listCounts(deps)) deleteTurns(deps.db, counted, entity);
}
