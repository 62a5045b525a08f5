import { days } from "../../../lib/duration.ts";
import type { SystemDb } from "../../data/tenant-db.ts";
import type { Needs } from "./needs.ts";

/** How long rollouts that are over are kept, and how many of a workspace. */
const KEPT_MS = days(365);
const KEPT = 1_000;
/** Rollouts that are looked for at a time; each goes in a transaction of its own, as it may have ten thousand nodes. */
const AT_ONCE = 50;

/**
 * Rollouts of all workspaces that are over and go: beyond the `keep` newest of a workspace, and those that ended before `before` but for
 * versions of the system that were taken back, which nobody is to be sent again by itself.
 */
export function listOld(
  db: SystemDb,
  before: number,
  keep: number,
  limit: number,
): Promise<{ tenant_id: string; id: string }[]> {
  return db.all(
    `SELECT tenant_id, id FROM (SELECT tenant_id, id, finished_at, kind, state,
       row_number() OVER (PARTITION BY tenant_id ORDER BY finished_at DESC, id DESC) AS place
     FROM rollouts WHERE is_open = 0) AS over_ones
     WHERE place > ? OR (finished_at < ? AND NOT (kind = 'os_version' AND state IN ('rolling_back', 'rolled_back')))
     ORDER BY finished_at, id LIMIT ?`,
    [keep, before, limit],
  );
}

/** Forgets rollouts that are long over, with their nodes and what happened to them. */
export async function forgetOld(
  { system, clock }: Pick<Needs, "system" | "clock">,
  signal: AbortSignal,
  keep = KEPT,
): Promise<void> {
  while (true) {
    const old = await listOld(system, clock.now() - KEPT_MS, keep, AT_ONCE);
    for (const { tenant_id, id } of old) {
      if (signal.aborted) return;
      await system.tx(async (tx) => {
        // One that goes on again meanwhile stays whole, and none begins from here on.
        const lock = "UPDATE rollouts SET version = version WHERE tenant_id = ? AND id = ? AND is_open = 0";
        if ((await tx.run(lock, [tenant_id, id])) === 0) return;
        for (const table of ["rollout_timeline", "rollout_nodes"])
          await tx.run(`DELETE FROM ${table} WHERE tenant_id = ? AND rollout_id = ?`, [tenant_id, id]);
        await tx.run("DELETE FROM rollouts WHERE tenant_id = ? AND id = ?", [tenant_id, id]);
      });
    }
    if (old.length < AT_ONCE) return;
  }
}
