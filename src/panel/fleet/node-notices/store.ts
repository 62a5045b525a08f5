import type { NoticeKind } from "../../agents/nodes/index.ts";
import type { TenantDb, TenantTx } from "../../data/tenant-db.ts";

/** A notice as it is stored; times in milliseconds. */
export interface NoticeRow {
  id: string;
  node_id: string;
  kind: NoticeKind;
  address: string;
  first_at: number;
  at: number;
  times: number;
}

/** What nobody has put away about a node, the newest first. */
export function listNotices(db: TenantDb, nodeId: string): Promise<NoticeRow[]> {
  return db.all(
    `SELECT id, node_id, kind, address, first_at, at, times FROM node_notices
     WHERE tenant_id = :tenant AND node_id = ? ORDER BY at DESC, id DESC`,
    [nodeId],
  );
}

/** Puts a notice away; gives what it was about, or null when there is none. */
export function deleteNotice(tx: TenantTx, id: string): Promise<Pick<NoticeRow, "node_id" | "kind"> | null> {
  return tx.get("DELETE FROM node_notices WHERE tenant_id = :tenant AND id = ? RETURNING node_id, kind", [id]);
}

/** A statement that counts what nobody has put away in the workspace whose id the SQL expression `tenantId` gives. */
export const countNotices = (tenantId: string): string =>
  `SELECT count(*) FROM node_notices WHERE tenant_id = ${tenantId}`;
