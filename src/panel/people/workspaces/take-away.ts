import { minutes } from "../../../lib/duration.ts";
import type { SystemDb } from "../../data/tenant-db.ts";
import type { Needs } from "./needs.ts";
import { deletePart, deleteTenant, listUnfinished } from "./store.ts";

/** Rows that go in one transaction, so that nobody who writes waits for all of a full workspace. */
const BATCH = 500;
/** What was deleted so long ago is nobody's work any more. */
const LEFT_AFTER_MS = minutes(5);

/** Takes away what a deleted workspace has, in parts, and the workspace itself with the last one. */
async function takeAway(
  { tenantTables, lists }: Pick<Needs, "tenantTables" | "lists">,
  db: SystemDb,
  id: string,
  signal?: AbortSignal,
): Promise<void> {
  let tables = tenantTables;
  while (tables.length > 0) {
    if (signal?.aborted) return;
    const left = tables;
    tables = await db.tx((tx) => deletePart(tx, db.engine, left, id, BATCH));
  }
  await db.tx(async (tx) => {
    for (const { release } of lists.holdings.all()) await release?.(tx, id);
    // What came meanwhile from somebody who was let in before goes too.
    await deleteTenant(tx, tenantTables, id);
    tx.afterCommit(() => {
      for (const { forget } of lists.holdings.all()) forget?.(id);
    });
  });
}

/** The same; what does not come to its end is left for the next run of `finishDeletions`: the workspace is deleted all the same. */
export async function takeAwayOrLeave(
  needs: Pick<Needs, "log" | "lists" | "tenantTables">,
  db: SystemDb,
  id: string,
  signal?: AbortSignal,
): Promise<void> {
  await takeAway(needs, db, id, signal).catch((error: unknown) =>
    needs.log.warn("rows of a deleted workspace are left for later", { workspace_id: id, error }),
  );
}

/** Takes away what a stop or a crash left of workspaces that were deleted. */
export async function finishDeletions(needs: Needs, signal: AbortSignal): Promise<void> {
  for (const id of await listUnfinished(needs.system, needs.clock.now() - LEFT_AFTER_MS))
    if (!signal.aborted) await takeAwayOrLeave(needs, needs.system, id, signal);
}
