import { days } from "../../../lib/duration.ts";
import type { SystemDb } from "../../data/tenant-db.ts";
import type { JobKey } from "./due-store.ts";
import type { Needs } from "./needs.ts";

/** How long jobs that are over are kept. */
const KEPT_MS = days(30);
/** Jobs that are looked for at a time, and nodes of one that go in one statement: a job may have ten thousand. */
const AT_ONCE = 50;
const ITEMS_AT_ONCE = 500;

/** Jobs of all workspaces that were over before a moment, the oldest first. */
const listOld = (db: SystemDb, before: number): Promise<JobKey[]> =>
  db.all("SELECT tenant_id, id FROM bulk_jobs WHERE finished_at < ? ORDER BY finished_at LIMIT ?", [before, AT_ONCE]);

/** Removes some nodes of a job; gives how many. */
function deleteItems(db: SystemDb, { tenant_id, id }: JobKey): Promise<number> {
  const some = "SELECT no FROM bulk_items WHERE tenant_id = ? AND job_id = ? LIMIT ?";
  const sql = `DELETE FROM bulk_items WHERE tenant_id = ? AND job_id = ? AND no IN (${some})`;
  return db.run(sql, [tenant_id, id, tenant_id, id, ITEMS_AT_ONCE]);
}

/** Forgets jobs that are long over: the nodes of each part by part, and then itself. */
export async function forgetOld(
  { system, clock }: Pick<Needs, "system" | "clock">,
  signal: AbortSignal,
): Promise<void> {
  while (true) {
    const old = await listOld(system, clock.now() - KEPT_MS);
    for (const job of old) {
      while (!signal.aborted && (await deleteItems(system, job)) === ITEMS_AT_ONCE);
      if (signal.aborted) return;
      await system.run("DELETE FROM bulk_jobs WHERE tenant_id = ? AND id = ?", [job.tenant_id, job.id]);
    }
    if (old.length < AT_ONCE) return;
  }
}
