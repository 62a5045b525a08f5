import type { Failure } from "./failures.ts";
import type { Own } from "./needs.ts";
import type { ObjectRestoreRow } from "./store.ts";

/**
 * Says that buckets and Drives which waited do not come back. Their operation may be over since it said that they go on by themselves: then
 * another one says so, which is told like that one was.
 */
export function endObjects(
  { operations }: Pick<Own, "operations">,
  { op_id, backup_id, user_id, ip }: ObjectRestoreRow,
  failure: Failure,
): void {
  const kind = "backup.restore_objects";
  const again = { kind, subject_id: backup_id, title: "Put buckets and Drives back", steps: [], by: { user_id, ip } };
  (operations.resume(op_id) ?? operations.begin(again)).fail(failure);
}

/** What becomes of buckets and Drives that were still to come from a target that is removed. */
export const targetRemoved = (name: string): Failure => ({
  code: "backup_given_up",
  message: `Given up: its target ${name} was removed. What came back so far is whole.`,
  next_step: "Add that target again, or put it back from another one.",
});
