import type { Job } from "../../../kernel/jobs.ts";
import { toIso } from "../../../lib/clock.ts";
import { hours } from "../../../lib/duration.ts";
import { fail } from "./contract.ts";
import { type ChangedBy, getUser } from "./logic.ts";
import type { Needs } from "./needs.ts";
import * as store from "./store.ts";

/** How accounts go. */
export interface Removal {
  /**
   * Removes an account and everything that is only its own; what it keeps here, such as files, only if that is said. Where that is much,
   * the account is gone for everybody at once, and the rest follows a part at a time. Throws `user_not_found`, `user_has_belongings`,
   * `last_admin`.
   */
  remove(by: ChangedBy, id: string, withBelongings: boolean): void;
  /** Goes on with the accounts whose things are still being removed. One run at a time. */
  goOn(): Promise<void>;
  /** Tries again what an error, such as a full disk, left over. */
  job: Job;
}

/** Makes what removes accounts. */
export function createRemoval({ db, bus, clock, sessions, lists, log, signal }: Needs): Removal {
  let running: Promise<void> | null = null;

  async function removeLeft(): Promise<void> {
    for (const id of store.listLeaving(db)) {
      for (const { clear } of lists.belongings.all()) await clear(id);
      if (signal.aborted) return;
      await db.txAside(() => store.deleteUser(db, id));
    }
  }

  function goOn(): Promise<void> {
    running ??= removeLeft()
      .catch((error: unknown) => {
        if (!signal.aborted) log.error("what a removed account kept stays for now", { error });
      })
      .finally(() => {
        running = null;
      });
    return running;
  }

  function remove(by: ChangedBy, id: string, withBelongings: boolean): void {
    const isLarge = db.tx(() => {
      const row = getUser(db, id);
      const all = lists.belongings.all();
      const kept = all.flatMap(({ tell }) => tell(id) ?? []);
      if (kept.length > 0 && !withBelongings)
        throw fail("user_has_belongings", { username: row.username, what: kept.join(", ") });
      const isLarge = all.some((belongings) => belongings.isLarge(id));
      if (isLarge) {
        store.letLeave(db, id, toIso(clock.now()));
        for (const way of lists.lastingWays.all()) way.endAllOf(id, { ip: by.ip, spare_device_id: null });
      } else store.deleteUser(db, id);
      if (store.countActiveAdmins(db) === 0) throw fail("last_admin");
      sessions.deleteAllOf(id);
      bus.emit("user.deleted", { ...by, user_id: id, username: row.username });
      return isLarge;
    });
    // Whoever is removed while others are on their way out is found once these are gone.
    if (isLarge) void goOn().then(goOn);
  }

  return { remove, goOn, job: { name: "removed-accounts", everyMs: hours(1), run: goOn } };
}
