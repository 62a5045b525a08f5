import type { EndedWays } from "./logic.ts";
import type { Needs } from "./needs.ts";
import { listUsers } from "./store.ts";

/**
 * Data of an earlier day knows nothing of what was ended since: a session whose device was lost, a link that was used. Sessions and links
 * that set a password end, for they are made anew in a moment; of what lasts only the named kinds do, because programs wait behind
 * it. Tells how many of the other kinds there are.
 */
export function endAfterReturn(
  { db, sessions, lists }: Pick<Needs, "db" | "sessions" | "lists">,
  kinds: readonly string[],
): EndedWays {
  return db.tx(() => {
    const open: EndedWays = {};
    for (const { id } of listUsers(db)) {
      sessions.deleteAllOf(id);
      for (const { name, count, endAllOf } of lists.lastingWays.all()) {
        if (name === null || kinds.includes(name)) endAllOf(id, { ip: "host", spare_device_id: null });
        else open[name] = (open[name] ?? 0) + count(id);
      }
    }
    return open;
  });
}
