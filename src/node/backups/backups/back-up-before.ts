import type { Asker, OperationHandle } from "../../platform/operations/index.ts";
import { Unsaved } from "./failures.ts";
import type { Own } from "./needs.ts";
import { insertBegun, makeBackup } from "./run-backup.ts";

/** Backs up what is there before something takes its place. Throws `Unsaved` where that does not come about. */
export async function backUpBefore(
  own: Own,
  by: Asker,
  input: Parameters<typeof insertBegun>[2],
  op: OperationHandle,
): Promise<void> {
  op.step("before", "running");
  const { failure } = await makeBackup(own, by, insertBegun(own, by, input, op.id), op);
  if (failure !== null) throw new Unsaved(failure);
  op.step("before", "done");
}
