import { days, hours } from "../../../../lib/duration.ts";
import type { Own } from "../needs.ts";
import { deleteRest, type RestRow, readRests, writeRest } from "./store.ts";

type Deps = Pick<Own, "db" | "clock">;

/** What a registry rests for, rather than one image of it. */
export type RestCause = "registry_rate_limit" | "registry_unreachable";

const LONGEST_MS = days(1);
const FIRST_MS = hours(1);

/** Whether a registry is left alone now. A clock that was wrong for a while makes nothing wait longer than a day. */
export const isResting = (rest: RestRow | undefined, now: number): boolean =>
  rest !== undefined && now >= rest.asked_at && now < rest.until;

/** One that counts questions has a day of peace; one that is not reached an hour, then twice as long each time, up to a day. */
export function letRest({ db, clock }: Deps, registry: string, failure: RestCause): void {
  const asked_at = clock.now();
  const before = readRests(db).get(registry);
  const tries = before?.failure === failure ? before.tries + 1 : 1;
  const lasts = failure === "registry_rate_limit" ? LONGEST_MS : Math.min(LONGEST_MS, FIRST_MS * 2 ** (tries - 1));
  db.tx(() => writeRest(db, { registry, failure, tries, asked_at, until: asked_at + lasts }));
}

/** It answered. */
export function endRest({ db }: Pick<Deps, "db">, registry: string): void {
  if (readRests(db).has(registry)) db.tx(() => deleteRest(db, registry));
}
