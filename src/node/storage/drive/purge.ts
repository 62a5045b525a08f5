import { days } from "../../../lib/duration.ts";
import { TRASH_DAYS } from "./contract.ts";
import { getTrashed, type Own } from "./logic.ts";
import type { By } from "./needs.ts";
import * as store from "./store.ts";

/** Rows that are removed in one transaction: everybody waits for it, and a folder may hold very many. */
const AT_ONCE = 1_000;

/** Removes what is on its way out of the Drives, a part at a time. One run at a time; ends early with the program. */
export function createClearing({ db, log, signal }: Pick<Own, "db" | "log" | "signal">): () => Promise<void> {
  let running: Promise<void> | null = null;

  async function clear(): Promise<void> {
    for (;;) {
      const ids = store.listLeaving(db, AT_ONCE).flatMap((root) => [...store.listIdsBelow(db, root), root]);
      if (ids.length === 0) return;
      for (let at = 0; at < ids.length; at += AT_ONCE) {
        if (signal.aborted) return;
        await db.txAside(() => store.deleteNodes(db, ids.slice(at, at + AT_ONCE)));
      }
    }
  }

  return () => {
    running ??= clear()
      .catch((error: unknown) => {
        if (!signal.aborted) log.error("what was removed from the trash stays for now", { error });
      })
      .finally(() => {
        running = null;
      });
    return running;
  };
}

/** Removes a node of the trash for good: at once, or from sight at once where much lies in it. Throws `drive_not_found`. */
export function purgeNode(own: Own, by: By, id: string): void {
  const { db, bus } = own;
  const isLarge = db.tx(() => {
    const node = getTrashed(own, by.user_id, id);
    const many = store.countAllBelow(db, id, AT_ONCE + 1) > AT_ONCE;
    if (many) store.trashRow(db, id, store.LEAVING);
    else store.deleteNode(db, id);
    bus.emit("drive.purged", { ...by, node_id: id, name: node.name });
    return many;
  });
  if (isLarge) void own.clear();
}

/** Forgets what has been in the trash for long enough. */
export async function purgeTrash({ db, clock, clear }: Own): Promise<void> {
  db.tx(() => store.letLeaveBefore(db, clock.now() - days(TRASH_DAYS)));
  await clear();
}
