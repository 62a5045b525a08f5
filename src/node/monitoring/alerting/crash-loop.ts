import { minutes } from "../../../lib/duration.ts";
import { isRecord } from "../../../lib/json.ts";
import type { NodeContext } from "../../context.ts";
import { countTurns, deleteTurns, type Fact, findFact, logTurn, saveFact } from "./fact-store.ts";

type Deps = Pick<NodeContext, "db">;

const CRASH_LOOP = "app_crash_loop";
const ENDED = "app_ended";
const LOOP_MS = minutes(10);
const LOOP_ENDS = 3;
/** A hard loop restarts up to ten times a second; one note cannot count for more. */
const MOST_AT_ONCE = 1_000;

/** Apart from `judgeFacts`: what is good needs no judging until it was bad. */
function write(db: Deps["db"], fact: Fact): void {
  saveFact(db, fact);
  logTurn(db, fact);
}

/**
 * Counts an unexpected end of a container: three within ten minutes are a crash loop, however well the app is in between.
 * True when one began with it. Inside the caller's transaction.
 */
export function noteEnd({ db }: Deps, data: unknown, now: number): boolean {
  if (!isRecord(data) || typeof data["app_id"] !== "string") return false;
  const entity = `app:${data["app_id"]}`;
  const name = typeof data["name"] === "string" ? data["name"] : entity;
  const service = typeof data["service"] === "string" ? data["service"] : "";
  const restarts = typeof data["restarts"] === "number" ? data["restarts"] : 1;
  const times = Math.min(MOST_AT_ONCE, Math.max(1, restarts));
  logTurn(db, { metric: ENDED, entity, entity_name: name, bad: true, at: now }, times);
  const ends = countTurns(db, ENDED, entity, now - LOOP_MS);
  if (ends < LOOP_ENDS || findFact(db, CRASH_LOOP, entity)?.bad) return false;
  const message = `${name} keeps crashing: ${service} ended ${ends} times within 10 minutes. Its log says why.`;
  write(db, { metric: CRASH_LOOP, entity, entity_name: name, bad: true, message, at: now });
  return true;
}

/** A loop is over when fewer than three ends lie in the last ten minutes. */
export function settleLoop({ db }: Deps, fact: Fact, now: number): Fact {
  if (fact.metric !== CRASH_LOOP || !fact.bad) return fact;
  if (countTurns(db, ENDED, fact.entity, now - LOOP_MS) >= LOOP_ENDS) return fact;
  const better = { ...fact, bad: false, at: now };
  write(db, better);
  return better;
}

/** What ended before an app was stopped or taken away says nothing about its next life. */
export function forgetEnds({ db }: Deps, entity: string): void {
  deleteTurns(db, ENDED, entity);
}
