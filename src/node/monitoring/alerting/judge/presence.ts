import { seconds } from "../../../../lib/duration.ts";
import type { NodeContext } from "../../../context.ts";
import { endEvent } from "../events/end-event.ts";
import { listOpenOfEntity, listOpenRemovable } from "../events/event-store.ts";

type Deps = Pick<NodeContext, "host">;

/** Whether a thing is part of this server right now. */
export type Presence = (entity: string) => boolean;

/** A cable that is plugged in again and a mount that is made anew are no removal. */
const GONE_MS = seconds(60);

/**
 * Looks for interfaces, disks and mounts where the kernel lists them, each list once and only when asked. What is of
 * another kind, and everything where the kernel shows no list, counts as there.
 */
export function createPresence({ host }: Deps): Presence {
  let mounted: Set<string> | null = null;
  return (entity) => {
    const name = entity.slice(entity.indexOf(":") + 1);
    if (entity.startsWith("iface:")) return host.hasInterface(name);
    if (entity.startsWith("disk:")) return host.hasBlockDevice(name);
    if (!entity.startsWith("fs:")) return true;
    mounted ??= new Set(host.mounts().map(({ point }) => point));
    return mounted.size === 0 || mounted.has(name);
  };
}

/**
 * Ends events about things that have been gone for a minute: nothing will ever be measured of them that could end them.
 * Silence itself is another matter, that is what its rules wait for. Inside the caller's transaction.
 */
export function endGone(
  deps: Deps & Pick<NodeContext, "db">,
  isThere: Presence,
  missing: Map<string, number>,
  now: number,
): void {
  const open = new Set(listOpenRemovable(deps.db));
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
