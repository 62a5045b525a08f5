import type { TenantDb } from "../../data/tenant-db.ts";

/** A node that was heard of for the first time since it registered. */
export interface ConnectedRow {
  id: string;
  hostname: string;
  version: string;
  registered_at: number;
  connected_at: number;
  last_seen_at: number;
}

/** The first node that connected at `since` or later. */
export function findConnected(db: TenantDb, since: number): Promise<ConnectedRow | null> {
  return db.get(
    `SELECT id, hostname, version, registered_at, connected_at, last_seen_at FROM nodes
     WHERE tenant_id = :tenant AND deleted_at IS NULL AND connected_at >= ? ORDER BY connected_at, id LIMIT 1`,
    [since],
  );
}
