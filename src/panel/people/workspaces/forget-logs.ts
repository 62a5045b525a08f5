import type { Needs } from "./needs.ts";
import { listIds } from "./store.ts";

/** Entries that go in one transaction, so that nobody waits for a year of them. */
const BATCH = 1_000;

/**
 * Forgets the logs of workspaces that were deleted, which is the most that there is of one: nobody reads them from then on, and whatever
 * else is written does not wait until all of one is gone. What a stop or a crash leaves, the next run takes.
 */
export async function forgetLogs(
  { system, audit }: Pick<Needs, "system" | "audit">,
  signal: AbortSignal,
  batch = BATCH,
): Promise<void> {
  // In this order: a workspace that is made meanwhile is none of these.
  const named = await audit.listNamed(system);
  const there = new Set(await listIds(system));
  for (const id of named.filter((one) => !there.has(one)))
    while (!signal.aborted && (await audit.deleteOf(system, id, batch)) === batch);
}
