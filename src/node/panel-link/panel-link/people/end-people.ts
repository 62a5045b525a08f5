import { toIso } from "../../../../lib/clock.ts";
import type { PeopleEnded } from "../contract.ts";
import type { Needs } from "../needs.ts";
import { listOthers, markEnded, type PersonRow } from "./people-store.ts";

type Deps = Pick<Needs, "db" | "clock"> & { users: Pick<Needs["users"], "find" | "shut"> };

/** Who ends it, and from where. */
interface By {
  by: string;
  ip: string;
}

/**
 * Ends whatever lets people in who came over another membership than the one that goes on, and switches their accounts off: nobody
 * vouches for them any more. What they keep and what they made here stays. Called inside a transaction.
 */
export const endPeople = (deps: Deps, goesOn: string | null, by: By): PeopleEnded =>
  endEach(deps, listOthers(deps.db, goesOn), by);

/** Ends whatever lets these in, and switches their accounts off. Called inside a transaction. */
export function endEach({ db, clock, users }: Deps, people: readonly PersonRow[], { by, ip }: By): PeopleEnded {
  const ended: PeopleEnded = { people: 0, sessions: 0, ways: {} };
  // The same moment in both places: an account that went off at another one was switched off by somebody, and stays so.
  const at = toIso(clock.now());
  for (const { user_id } of people) {
    markEnded(db, user_id, at);
    // One that is being removed lets nobody in.
    if (!users.find(user_id)) continue;
    const { sessions, ways } = users.shut({ actor_id: by, ip }, user_id, at);
    ended.people += 1;
    ended.sessions += sessions;
    for (const [name, count] of Object.entries(ways)) ended.ways[name] = (ended.ways[name] ?? 0) + count;
  }
  return ended;
}
