import { onNobodysErrand } from "../../../lib/standing.ts";
import { fail, MAX_NODES } from "./contract.ts";
import { getWay, type Own } from "./logic.ts";
import type { By } from "./needs.ts";
import * as store from "./store.ts";
import { walkBelow } from "./walk-below.ts";

/** What is copied in one transaction while others wait; larger folders are copied out of sight, a part at a time. */
const AT_ONCE = 500;

/** The copy of a large folder, which nobody sees yet. */
export interface LargeCopy {
  id: string;
  /** How many files and folders it has, with itself. */
  count: number;
  /** How many levels. */
  depth: number;
}

/** Hears of copies, original first, in the transaction that makes them. */
export type OnCopied = (from: string, to: string) => void;

/** How many there are of a folder and what lies in it, and how many levels. Throws `drive_limit`. */
async function measure(own: Own, node: store.NodeRow, room: number): Promise<Omit<LargeCopy, "id">> {
  let [count, depth] = [1, 1];
  for await (const part of walkBelow(own.db, node, null, () => null)) {
    count += part.length;
    depth = part.reduce((deepest, { level }) => Math.max(deepest, level + 1), depth);
    if (count > room) throw fail("drive_limit", { limit: MAX_NODES });
  }
  return { count, depth };
}

/** Removes a copy that does not become one, also where it does not because the access of who asked for it has ended. */
function dropCopy(own: Own, { id }: LargeCopy): void {
  onNobodysErrand(() => {
    own.db.tx(() => store.trashRow(own.db, id, store.LEAVING));
    void own.clear();
  });
}

/**
 * Copies a folder in which much lies out of sight, a part at a time: it is there for nobody until it is shown, and what a program that ended
 * left of it is removed by the next. Null for what is copied at once. Throws `drive_not_found`, `drive_limit`, `drive_copying`.
 */
async function copyLarge(own: Own, by: By, id: string, onCopied: OnCopied): Promise<LargeCopy | null> {
  const { db, ids, clock, copying, signal } = own;
  const [node] = getWay(own, by.user_id, id);
  if (store.countBelow(db, node, AT_ONCE + 1) <= AT_ONCE) return null;
  if (copying.has(by.user_id)) throw fail("drive_copying");
  copying.add(by.user_id);
  try {
    const room = MAX_NODES - store.countNodes(db, by.user_id);
    // Before any of it is written: what does not fit would cost as much as what does, as often as somebody asks.
    await measure(own, node, room);
    const at = clock.now();
    const made = { ...node, id: ids.next("drv"), parent_id: null, created_at: at };
    const copy = { id: made.id, count: 1, depth: 1 };
    await db.txAside(() => {
      store.insertNode(db, made, store.COMING);
      onCopied(node.id, made.id);
    });
    try {
      const idOf = () => ids.next("drv");
      const folders = { id: made.id, into: "" };
      for await (const part of walkBelow(db, node, folders, (_, folder) => ({ id: idOf(), into: folder.id }))) {
        signal.throwIfAborted();
        copy.count += part.length;
        if (copy.count > room) throw fail("drive_limit", { limit: MAX_NODES });
        await db.txAside(() => {
          for (const { row, as, level } of part) {
            copy.depth = Math.max(copy.depth, level + 1);
            store.insertNode(db, { ...row, id: as.id, parent_id: as.into, created_at: at });
            onCopied(row.id, as.id);
          }
        });
      }
      return copy;
    } catch (error) {
      if (!signal.aborted) dropCopy(own, copy);
      throw error;
    }
  } finally {
    copying.delete(by.user_id);
  }
}

/**
 * Copies a folder in which much lies, and has `show` show the copy, in one transaction; where that throws, the copy goes again. `show` is
 * given null for what it is to copy itself. Throws what `show` throws, `drive_not_found`, `drive_limit`, `drive_copying`.
 */
export async function withLargeCopy<T>(
  own: Own,
  by: By,
  id: string,
  onCopied: OnCopied,
  show: (large: LargeCopy | null) => T,
): Promise<T> {
  const large = await copyLarge(own, by, id, onCopied);
  try {
    return show(large);
  } catch (error) {
    if (large !== null) dropCopy(own, large);
    throw error;
  }
}
