import { seconds } from "../../../../lib/duration.ts";
import { endEvent } from "../events/end-event.ts";
import { listOpenEntities, listOpenOfEntity } from "../events/event-store.ts";
import type { Own } from "../needs.ts";
import type { Presence } from "../watched/world.ts";

/** A cable that is plugged in again and a mount that is made anew are no removal. */
const GONE_MS = seconds(60);

/**
 * Ends events about things that have been gone for a minute: nothing will ever be measured of them that could end them.
 * Silence itself is another matter, that is what its rules wait for. Inside the caller's transaction.
 */
export function endGone(deps: Pick<Own, "db">, isThere: Presence, missing: Map<string, number>, now: number): void {
  const open = new Set(listOpenEntities(deps.db));
  for (const entity of missing.keys()) {
    if (!open.has(entity)) missing.delete(entity);
  }
  for (const entity of open) {
    if (isThere(entity)) {
      missing.delete(entity);
      continue;
    }
    const since = missing.get(entity) ?? now;
    missing.set(entity, Math.min(since, now));
    if (now - since < GONE_MS) continue;
    for (const event of listOpenOfEntity(deps.db, entity)) {
      if (event.type !== "absence" && event.type !== "no_data") endEvent(deps, event, "entity_removed", now);
    }
    missing.delete(entity);
  }
}
