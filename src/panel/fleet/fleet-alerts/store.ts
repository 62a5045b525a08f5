import type { NameSource } from "../../base.ts";
import type { TenantDb, TenantTx } from "../../data/tenant-db.ts";

/** What somebody said that they know of. Times in milliseconds; empty texts as in the table. */
export interface AcknowledgementRow {
  id: string;
  rule: string;
  region: string;
  node_id: string;
  from_at: number;
  to_at: number;
  member_id: string;
  at: number;
}

/** The workspace's acknowledgements, the newest first, with the names of those who made them. */
export function listAcknowledgements(
  db: TenantDb | TenantTx,
  members: readonly NameSource[],
  limit: number,
): Promise<(AcknowledgementRow & { member: string | null })[]> {
  const [source] = members;
  return db.all(
    `SELECT known.id, known.rule, known.region, known.node_id, known.from_at, known.to_at, known.member_id, known.at,
       ${source ? `(${source.select("known.member_id")})` : "NULL"} AS member
     FROM alert_acknowledgements known WHERE known.tenant_id = :tenant ORDER BY known.at DESC, known.id DESC LIMIT ?`,
    [limit],
  );
}

export async function insertAcknowledgement(tx: TenantTx, row: AcknowledgementRow): Promise<void> {
  await tx.run(
    `INSERT INTO alert_acknowledgements (tenant_id, id, rule, region, node_id, from_at, to_at, member_id, at)
     VALUES (:tenant, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [row.id, row.rule, row.region, row.node_id, row.from_at, row.to_at, row.member_id, row.at],
  );
}

export async function deleteAcknowledgement(tx: TenantTx, id: string): Promise<void> {
  await tx.run("DELETE FROM alert_acknowledgements WHERE tenant_id = :tenant AND id = ?", [id]);
}
