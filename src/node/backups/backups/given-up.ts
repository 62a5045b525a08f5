import { endObjects, targetRemoved } from "./end-objects.ts";
import type { Failure } from "./failures.ts";
import { describeBackup } from "./holds.ts";
import type { Own } from "./needs.ts";
import { listPending, type PendingRow } from "./pending-store.ts";
import { deletePutBack, findPutBack, insertPutBack, type PutBackRow } from "./put-back-store.ts";
import * as store from "./store.ts";

/** What becomes of work on an app that is not there any more. */
export const GONE: Failure = {
  code: "backup_app_not_in",
  message: "The app was uninstalled in the middle of it.",
  next_step: "Its files can still be downloaded from the backup.",
};

/** What becomes of an order whose data comes from elsewhere, as was asked for later. */
export const insteadOf = (what: string, source: string): Failure => ({
  code: "backup_given_up",
  message: `Given up: ${what} from ${source} instead, as was asked for later.`,
  next_step: "See how that went. If this is what you want after all, begin it again.",
});

/** Where orders are written down, and told. */
export type Book = Pick<Own, "db" | "operations">;

const isSame = (one: PendingRow, other: PendingRow): boolean =>
  one.op_id === other.op_id && one.backup_id === other.backup_id;

/** Ends the operation of what is not written down any more; one that has more to do goes on with that. */
function endOrder(own: Book, { app_id, op_id }: PendingRow, failure: Failure): void {
  const op = op_id === null ? null : own.operations.resume(op_id);
  if (op === null) return;
  if (!listPending(own.db).some((other) => other.op_id === op_id)) op.fail(failure);
  else if (app_id !== null) op.step(`restore:${app_id}`, "failed", { text: failure.message });
  else op.log(failure.message);
}

/** Ends an older order, and says so in the operation of the newer one, too: that of the older may be over since it waits. */
export function replaceOrder(own: Book, older: PendingRow, newer: PendingRow, old: string, what: string): void {
  endOrder(own, older, insteadOf(what, describeBackup(own.db, newer.backup_id)));
  if (newer.op_id === null) return;
  const source = describeBackup(own.db, older.backup_id);
  own.operations.resume(newer.op_id)?.log(`What was still to come of ${old} from ${source} is given up for this.`);
}

/**
 * Writes down that an app is put back, and how far it is. An older restore of it is given up with that, and a file or folder of it that waits
 * once its data begins to be replaced: until then what is there may still become whole by it.
 */
export function writeRestore(own: Own, row: store.RestoreRow): void {
  const { db } = own;
  db.tx(() => {
    const older = store.findRestore(db, row.app_id);
    const file = row.begun === store.HALF ? findPutBack(db, row.app_id) : null;
    store.insertRestore(db, row);
    if (file !== null) deletePutBack(db, row.app_id);
    const { name } = own.apps.get(row.app_id);
    if (older !== null && !isSame(older, row)) replaceOrder(own, older, row, name, `${name} is put back`);
    if (file !== null) replaceOrder(own, file, row, `${file.path} of ${name}`, `all of ${name} is put back`);
  });
}

/** Writes down that a file or folder takes the place of what an app has. An older one is given up with that. */
export function writePutBack(own: Own, row: Omit<PutBackRow, "written">): void {
  const { db } = own;
  db.tx(() => {
    const older = findPutBack(db, row.app_id);
    insertPutBack(db, row);
    if (older === null || isSame(older, row)) return;
    replaceOrder(own, older, row, older.path, `${row.path} is put back`);
  });
}

/** Gives up all that was to come for an app that is removed, so that a later one of the same id gets none of it. */
export function giveUpApp(own: Own, appId: string): void {
  const { db } = own;
  db.tx(() => {
    const orders = listPending(db).filter(({ app_id }) => app_id === appId);
    store.deleteRestore(db, appId);
    deletePutBack(db, appId);
    store.deleteHalt(db, appId);
    for (const order of orders) endOrder(own, order, GONE);
  });
}

/** Gives up what was to come from a target that is removed. */
export function giveUpTarget(own: Own, targetId: string, name: string): void {
  const isOfIt = ({ backup_id }: { backup_id: string }) => store.targetOf(own.db, backup_id) === targetId;
  const objects = store.listObjectRestores(own.db).filter(isOfIt);
  const orders = listPending(own.db).filter((order) => order.app_id !== null && isOfIt(order));
  store.deleteTarget(own.db, targetId);
  for (const row of objects) endObjects(own, row, targetRemoved(name));
  const message = `Given up: its target ${name} was removed.`;
  for (const order of orders)
    endOrder(own, order, { code: "backup_given_up", message, next_step: "Put it back from another target." });
}
