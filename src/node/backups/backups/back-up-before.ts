import type { Asker, OperationHandle } from "../../platform/operations/index.ts";
import { Unsaved } from "./failures.ts";
import type { LeftOut } from "./leave-out.ts";
import type { Own } from "./needs.ts";
import { insertBegun, makeBackup } from "./run-backup.ts";

/**
 * Backs up what is there before something takes its place. Answers the apps of several that are not in it, for a fault of their own. Throws
 * `Unsaved` where that does not come about.
 */
export async function backUpBefore(
  own: Own,
  by: Asker,
  input: Parameters<typeof insertBegun>[2],
  op: OperationHandle,
): Promise<readonly LeftOut[]> {
  op.step("before", "running");
  const { status, failure, left } = await makeBackup(own, by, insertBegun(own, by, input, op.id), op);
  if (failure !== null && (status !== "completed" || left.length === 0)) throw new Unsaved(failure);
  op.step("before", left.length === 0 ? "done" : "failed");
  return left;
}
