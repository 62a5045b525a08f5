import type { Store } from "../../../kernel/db/store.ts";

/** A row of `backup_plans`. */
export interface PlanRow {
  id: string;
  name: string;
  target: string;
  enabled: number;
  cron: string;
  jitter_minutes: number;
  /** JSON, null for all apps. */
  apps: string | null;
  include_config: number;
  /** JSON, null when all backups stay. */
  keep: string | null;
  seen_at: number;
}

export const listPlans = (db: Store): PlanRow[] =>
  db.raw.query<PlanRow, []>("SELECT * FROM backup_plans ORDER BY name").all();

export const findPlan = (db: Store, id: string): PlanRow | null =>
  db.raw.query<PlanRow, [string]>("SELECT * FROM backup_plans WHERE id = ?").get(id);

/** Makes a plan, or gives the one of that id what it has now. */
export function savePlan(db: Store, row: PlanRow): void {
  db.raw
    .query(
      `INSERT INTO backup_plans
         (id, name, target, enabled, cron, jitter_minutes, apps, include_config, keep, seen_at)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
       ON CONFLICT (id) DO UPDATE SET name = ?2, target = ?3, enabled = ?4, cron = ?5, jitter_minutes = ?6, apps = ?7,
         include_config = ?8, keep = ?9, seen_at = ?10`,
    )
    .run(
      row.id,
      row.name,
      row.target,
      row.enabled,
      row.cron,
      row.jitter_minutes,
      row.apps,
      row.include_config,
      row.keep,
      row.seen_at,
    );
}

/** What was due before that moment has been seen to. */
export function markSeen(db: Store, id: string, at: number): void {
  db.raw.query("UPDATE backup_plans SET seen_at = ? WHERE id = ?").run(at, id);
}

export function deletePlan(db: Store, id: string): void {
  db.raw.query("DELETE FROM backup_plans WHERE id = ?").run(id);
}
