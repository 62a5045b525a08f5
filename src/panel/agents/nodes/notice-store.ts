import type { Clock } from "../../../lib/clock.ts";
import type { Ids } from "../../../lib/ids.ts";
import type { SystemTx, TenantDb, TenantTx } from "../../data/tenant-db.ts";

/**
 * What somebody should look at: another machine registered under the name of a node that was alive, or of one whose
 * certificate had ended, or the node itself says that it runs on other hardware.
 */
export type NoticeKind = "taken_over" | "moved" | "hardware_changed";

/** Keeps a notice until it is put away; the same one again counts up. */
export async function recordNotice(
  { tx, clock, ids }: { tx: SystemTx; clock: Clock; ids: Ids },
  { tenant_id, node_id, ip }: { tenant_id: string; node_id: string; ip: string },
  kind: NoticeKind,
): Promise<void> {
  await tx.run(
    `INSERT INTO node_notices (tenant_id, id, node_id, kind, address, first_at, at) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (tenant_id, node_id, kind) DO UPDATE SET id = excluded.id, address = excluded.address, at = excluded.at,
     times = node_notices.times + 1`,
    [tenant_id, ids.next("ntc"), node_id, kind, ip, clock.now(), clock.now()],
  );
}

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
