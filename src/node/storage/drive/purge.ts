import { setImmediate } from "node:timers/promises";
import { days } from "../../../lib/duration.ts";
import type { Belongings } from "../../base.ts";
import { TRASH_DAYS } from "./contract.ts";
import { type Own as All, getTrashed } from "./logic.ts";
import type { By } from "./needs.ts";
import * as store from "./store.ts";
import { countVersionsBelow, countVersionsOf } from "./version-store.ts";

/** Rows that are touched in one transaction: everybody waits for it, and a folder may hold very many. */
const AT_ONCE = 500;

type Own = Pick<All, "db" | "log" | "signal" | "kept">;

/** Removes nodes, and all that lies in them, a part at a time, as `list` gives them. Ends early with the program. */
async function removeAll({ db, signal, kept }: Own, list: () => string[]): Promise<void> {
  while (!signal.aborted) {
    const ids = list();
    if (ids.length === 0) return;
    await db.txAside(() => store.removePart(db, ids, kept, AT_ONCE));
  }
}

/** Removes what is on its way out of the Drives. One run at a time. */
export function createClearing(own: Own): () => Promise<void> {
  const { db, log, signal } = own;
  let running: Promise<void> | null = null;
  return () => {
    running ??= removeAll(own, () => store.listLeaving(db, AT_ONCE))
      .catch((error: unknown) => {
        if (!signal.aborted) log.error("what was removed from the trash stays for now", { error });
      })
      .finally(() => {
        running = null;
      });
    return running;
  };
}

/** The files of people as what goes with their accounts. */
export const driveBelongings = (own: Own): Belongings => ({
  tell(userId) {
    const files = store.countFiles(own.db, userId);
    return files === 0 ? null : `${files} ${files === 1 ? "file" : "files"} in the Drive`;
  },
  isLarge: (userId) =>
    store.listOwned(own.db, userId, AT_ONCE).length === AT_ONCE || countVersionsOf(own.db, userId, AT_ONCE) === AT_ONCE,
  clear: (userId) => removeAll(own, () => store.listOwned(own.db, userId, AT_ONCE)),
});

/** Removes a node of the trash for good: at once, or from sight at once where much lies in it. Throws `drive_not_found`. */
export function purgeNode(own: All, by: By, id: string): void {
  const { db, bus, kept } = own;
  const isLarge = db.tx(() => {
    const node = getTrashed(own, by.user_id, id);
    const ids = store.listAllBelow(db, id, AT_ONCE + 1);
    const many =
      ids.length > AT_ONCE ||
      countVersionsBelow(db, id, AT_ONCE) === AT_ONCE ||
      kept.some(({ count }) => count(ids, AT_ONCE) === AT_ONCE);
    if (many) store.trashRow(db, id, store.LEAVING);
    else store.deleteNode(db, id);
    bus.emit("drive.purged", { ...by, node_id: id, name: node.name });
    return many;
  });
  if (isLarge) void own.clear();
}

/** Forgets what has been in the trash for long enough. */
export async function purgeTrash({ db, clock, clear, signal }: All): Promise<void> {
  const before = clock.now() - days(TRASH_DAYS);
  while (db.tx(() => store.letLeaveBefore(db, before, AT_ONCE)) === AT_ONCE && !signal.aborted) await setImmediate();
  await clear();
}
