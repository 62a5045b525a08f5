import { minutes } from "../../../lib/duration.ts";
import type { OperationHandle } from "../../platform/operations/index.ts";
import { closeOperation, explain, type Failure } from "./failures.ts";
import type { Own } from "./needs.ts";
import { runAlone } from "./one-at-a-time.ts";
import { listPending } from "./pending-store.ts";

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

/** Tries one thing that was cut off again. Answers how it ended, null when well. */
export type Waiting = () => Promise<Failure | null>;

/**
 * Goes on with all that was cut off while nothing else is under way: each has its turn, whatever becomes of those before it. In a while
 * again, where one does not work. What is left of a kind is looked up when those before it are through.
 */
export function goOn(own: Own, kinds: readonly ((own: Own) => readonly Waiting[])[]): void {
  if (own.work.current || own.clock.monotonic() < own.resume.from) return;
  if (kinds.every((list) => list(own).length === 0)) return;
  runAlone(own, async () => {
    for (const list of kinds)
      for (const tryAgain of list(own))
        if ((await tryAgain().catch(logged(own))) !== null) own.resume.from = own.clock.monotonic() + RETRY_MS;
  });
}

const logged =
  ({ log }: Pick<Own, "log">) =>
  (error: unknown): Failure => {
    log.error("what was cut off does not go on", { error });
    return explain(error);
  };
