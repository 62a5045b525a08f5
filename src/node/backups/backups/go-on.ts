import { minutes } from "../../../lib/duration.ts";
import type { OperationHandle } from "../../platform/operations/index.ts";
import { closeOperation, explain, type Failure } from "./failures.ts";
import type { Own } from "./needs.ts";
import { listPending } from "./pending-store.ts";
import { runAlone } from "./run-backup.ts";

/** Between two tries of a restore that was cut off. */
const RETRY_MS = minutes(10);

/** How it ended: null when well. */
export async function attempt(own: Own, task: () => Promise<void>): Promise<Failure | null> {
  try {
    await task();
    return null;
  } catch (error) {
    own.log.warn("a restore failed", { error });
    return explain(error);
  }
}

/** Says how the work ended; not where the program ends, after which it goes on. */
export function close(own: Own, op: OperationHandle | null, failure: Failure | null): void {
  if (op !== null && !(failure !== null && own.signal.aborted)) closeOperation(op, failure);
}

/** Keeps the operations of what goes on from being called abandoned until their turn comes. */
export function holdOperations({ db, operations }: Own): void {
  for (const { op_id } of listPending(db))
    if (op_id !== null) operations.resume(op_id)?.restarted("The node was started anew. What was begun goes on.");
}

/** Goes on with all that was cut off while nothing else is under way; in a while again, where one does not work. */
export function goOn<Item>(own: Own, left: readonly Item[], one: (item: Item) => Promise<Failure | null>): void {
  if (left.length === 0 || own.work.current || own.clock.monotonic() < own.resume.from) return;
  runAlone(own, async () => {
    for (const item of left) if ((await one(item)) !== null) own.resume.from = own.clock.monotonic() + RETRY_MS;
  });
}
