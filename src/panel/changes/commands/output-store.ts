import type { SystemDb, SystemTx } from "../../data/tenant-db.ts";

/** Outputs that are dropped in one statement, so that nobody waits for all of them. */
const DROPPED_AT_ONCE = 100;

/** Keeps the whole output of a command that is over; `bytes` in UTF-8. */
export async function insertOutput(
  tx: SystemTx,
  { tenant_id, id }: { tenant_id: string; id: string },
  output: string,
  bytes: number,
): Promise<void> {
  const sql = "INSERT INTO command_outputs (tenant_id, command_id, bytes, output) VALUES (?, ?, ?, ?)";
  await tx.run(sql, [tenant_id, id, bytes, output]);
}

/** Bytes of whole outputs of each workspace that has any. */
export async function listSizes(db: SystemDb): Promise<Map<string, number>> {
  const sql = "SELECT tenant_id, sum(bytes) AS bytes FROM command_outputs GROUP BY tenant_id";
  const rows = await db.all<{ tenant_id: string; bytes: number }>(sql);
  return new Map(rows.map(({ tenant_id, bytes }) => [tenant_id, Number(bytes)]));
}

/** Drops the oldest whole outputs of a workspace, at least so many bytes of them. The commands keep the beginning. */
export async function dropOldest(db: SystemDb, tenantId: string, least: number): Promise<void> {
  let surplus = least;
  while (surplus > 0) {
    const oldest = await db.all<{ command_id: string; bytes: number }>(
      "SELECT command_id, bytes FROM command_outputs WHERE tenant_id = ? ORDER BY command_id LIMIT ?",
      [tenantId, DROPPED_AT_ONCE],
    );
    let last: string | null = null;
    for (const { command_id, bytes } of oldest) {
      if (surplus <= 0) break;
      surplus -= Number(bytes);
      last = command_id;
    }
    if (last === null) return;
    await db.run("DELETE FROM command_outputs WHERE tenant_id = ? AND command_id <= ?", [tenantId, last]);
  }
}
