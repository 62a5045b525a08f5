import { days } from "../../../lib/duration.ts";
import type { SystemDb } from "../../data/tenant-db.ts";
import type { Needs } from "./needs.ts";

/** How long deleted nodes are remembered, and how many of a workspace: lists of what happened call them by their names. */
const KEPT_MS = days(400);
const KEPT = 10_000;
const AT_ONCE = 200;

interface Deleted {
  tenant_id: string;
  id: string;
  no: number;
}

/** Deleted nodes of all workspaces that nothing needs any more: older than `before`, or beyond the `keep` newest of a workspace. */
function listOld(
  { system, lists }: { system: SystemDb } & Pick<Needs, "lists">,
  { before, keep }: { before: number; keep: number },
): Promise<Deleted[]> {
  const needed = lists.remains
    .all()
    .flatMap(({ needs }) => (needs ? [` AND NOT EXISTS (${needs("gone.tenant_id", "gone.id")})`] : []));
  return system.all(
    `SELECT tenant_id, id, no FROM (SELECT tenant_id, id, no, deleted_at,
       row_number() OVER (PARTITION BY tenant_id ORDER BY deleted_at DESC, no DESC) AS place
     FROM nodes WHERE deleted_at IS NOT NULL) AS gone
     WHERE (deleted_at < ? OR place > ?)${needed.join("")} ORDER BY deleted_at, no LIMIT ?`,
    [before, keep, AT_ONCE],
  );
}

/** Forgets nodes that were deleted long ago, one after another, with what was kept about them. */
export async function forgetDeleted(
  needs: Pick<Needs, "system" | "clock" | "lists">,
  signal: AbortSignal,
  keep = KEPT,
): Promise<void> {
  while (true) {
    const old = await listOld(needs, { before: needs.clock.now() - KEPT_MS, keep });
    for (const node of old) {
      if (signal.aborted) return;
      await needs.system.tx(async (tx) => {
        // One that came again meanwhile is there, and none comes from here on.
        const lock = "UPDATE nodes SET tags = tags WHERE tenant_id = ? AND id = ? AND deleted_at IS NOT NULL";
        if ((await tx.run(lock, [node.tenant_id, node.id])) === 0) return;
        for (const { clear } of needs.lists.remains.all()) await clear?.(tx, node);
        await tx.run("DELETE FROM nodes WHERE tenant_id = ? AND id = ?", [node.tenant_id, node.id]);
      });
    }
    if (old.length < AT_ONCE) return;
  }
}
