import type { SystemTx } from "../../data/tenant-db.ts";
import type { NodeDirectory } from "./directory.ts";
import { findNodeRow } from "./node-store.ts";

/**
 * Takes a node as a transaction has it into memory, once that is committed. Answers of a database may overtake each other on their way:
 * when memory hears of a deletion, or of another certificate, before it hears of this commit, the row is left out. Should it have been the
 * newer one after all, memory has no place for the node's certificate, and asks the tables when the node comes.
 */
export async function followNode(
  tx: SystemTx,
  directory: Pick<NodeDirectory, "reading" | "put">,
  nodeId: string,
): Promise<void> {
  const reading = directory.reading(nodeId);
  tx.afterEnd(reading.end);
  const row = await findNodeRow(tx, nodeId);
  if (row)
    tx.afterCommit(() => {
      if (!reading.isStale()) directory.put(row);
    });
}
