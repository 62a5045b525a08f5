import type { Store } from "../../../kernel/db/store.ts";

export interface DashboardRow {
  version: number;
  /** JSON list of widgets. */
  layout: string;
}

export function findDashboard(db: Store, userId: string, type: string): DashboardRow | null {
  const sql = "SELECT version, layout FROM dashboards WHERE user_id = ? AND type = ?";
  return db.raw.query<DashboardRow, [string, string]>(sql).get(userId, type);
}

export function saveDashboard(db: Store, userId: string, type: string, row: DashboardRow): void {
  db.raw
    .query("INSERT OR REPLACE INTO dashboards (user_id, type, version, layout) VALUES (?, ?, ?, ?)")
    .run(userId, type, row.version, row.layout);
}
