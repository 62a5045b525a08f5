import type { TenantDb } from "../../data/tenant-db.ts";

/** A change as it is stored; `at` in milliseconds, `reasons` a JSON list of words. */
export interface ChangeRow {
  at: number;
  from_status: string;
  to_status: string;
  reasons: string;
}

/** Reads up to `limit` changes of a node, the newest first. */
export function listChanges(db: TenantDb, nodeId: string, before: number, limit: number): Promise<ChangeRow[]> {
  return db.all(
    `SELECT at, from_status, to_status, reasons FROM node_transitions
     WHERE tenant_id = :tenant AND node_id = ? AND at < ? ORDER BY at DESC LIMIT ?`,
    [nodeId, before, limit],
  );
}
