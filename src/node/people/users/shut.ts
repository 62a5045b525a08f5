import { type ChangedBy, type EndedWays, getUser } from "./logic.ts";
import type { Needs } from "./needs.ts";
import * as store from "./store.ts";

/** What ended of an account that was shut. */
export interface Shut {
  sessions: number;
  ways: EndedWays;
}

/**
 * Ends all that lets somebody into an account, its password too, and switches it off, also the last admin's: for accounts whose owner
 * has no business here any more. One that is on is off from `at`, so that whoever shut it knows it again by that. Called inside a
 * transaction. Throws `user_not_found`.
 */
export function shutAccount({ db, bus, sessions, lists }: Needs, by: ChangedBy, id: string, at: string): Shut {
  const row = getUser(db, id);
  // No password has this as its hash.
  store.updatePasswordHash(db, id, "none");
  const ways: EndedWays = {};
  for (const { name, endAllOf } of lists.lastingWays.all()) {
    const count = endAllOf(id, { ip: by.ip, spare_device_id: null });
    if (name !== null) ways[name] = (ways[name] ?? 0) + count;
  }
  if (row.disabled_at === null) {
    store.updateUser(db, { ...row, disabled_at: at });
    bus.emit("user.disabled", { ...by, user_id: id });
  }
  return { sessions: sessions.cutAllOf(id, null), ways };
}
