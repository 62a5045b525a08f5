import { fail } from "./contract.ts";
import { type Book, replaceOrder } from "./given-up.ts";
import { describeBackup } from "./holds.ts";
import type { Own } from "./needs.ts";
import type { ObjectsRestoreInput } from "./objects-contract.ts";
import * as store from "./store.ts";

/** Buckets and Drives that somebody wants back. */
export type ObjectsWish = ObjectsRestoreInput & { user_id: string };

/** Accounts of which the whole Drive is wanted. */
const wholeDrives = ({ drives, drive_node }: ObjectsWish): readonly string[] =>
  drive_node === undefined ? drives : [];

const wishOf = ({ wish, user_id }: store.ObjectRestoreRow): ObjectsWish => ({ ...JSON.parse(wish), user_id });

/** What a newer order leaves of an older one; null where that is nothing. What goes into a new folder of a Drive is in nobody's way. */
export function leaveOf(older: ObjectsWish, newer: ObjectsWish): ObjectsRestoreInput | null {
  const { user_id, drive_node, ...rest } = older;
  const isOver = older.drives_over && newer.drives_over;
  const taken = new Set(isOver ? wholeDrives(newer) : []);
  const buckets = rest.buckets.filter((name) => !newer.buckets.includes(name));
  const drives = wholeDrives(older).filter((id) => !taken.has(id));
  const isSameNode = isOver && user_id === newer.user_id && drive_node === newer.drive_node;
  const node = drive_node === undefined || taken.has(user_id) || isSameNode ? {} : { drive_node };
  if (buckets.length === 0 && drives.length === 0 && node.drive_node === undefined) return null;
  return { ...rest, buckets, drives, ...node };
}

/** Throws `backup_restore_waits` where a whole Drive is still to come over what is wanted of it. */
export function assertNotInOlder(own: Own, newer: ObjectsWish): void {
  if (newer.drive_node === undefined || !newer.drives_over) return;
  for (const row of store.listObjectRestores(own.db)) {
    const older = wishOf(row);
    if (older.drives_over && wholeDrives(older).includes(newer.user_id))
      throw fail("backup_restore_waits", { what: "that Drive", source: describeBackup(own.db, row.backup_id) });
  }
}

/**
 * Buckets and Drives of an order begin to be written, as all that it takes is at hand: of older orders, whose ids come before its own, the same
 * ones are given up.
 */
export function giveUpOlder(own: Book, opId: string): void {
  const { db } = own;
  db.tx(() => {
    const orders = store.listObjectRestores(db);
    const row = orders.find(({ op_id }) => op_id === opId);
    if (row === undefined) return;
    const newer = wishOf(row);
    for (const old of orders.filter(({ op_id }) => op_id < opId)) {
      const older = wishOf(old);
      const left = leaveOf(older, newer);
      if (left !== null && sizeOf(left) === sizeOf(older)) continue;
      if (left === null) store.deleteObjectRestore(db, old.op_id);
      else store.changeObjectRestore(db, old.op_id, JSON.stringify(left));
      const what = "buckets or Drives";
      replaceOrder(own, { ...old, app_id: null }, { ...row, app_id: null }, what, `the same ${what} are put back`);
    }
  });
}

/** How many things are wanted. */
const sizeOf = ({ buckets, drives, drive_node }: ObjectsRestoreInput): number =>
  buckets.length + drives.length + (drive_node === undefined ? 0 : 1);
