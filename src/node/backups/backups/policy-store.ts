import type { Store } from "../../../kernel/db/store.ts";

/** How an app is kept from changing its data while that is copied. */
export type Halting = "none" | "pause" | "stop";
/** That, or it goes on and a snapshot of its disk is copied. */
export type Mode = Halting | "snapshot";

/** What was chosen, by app. */
export const listPolicies = (db: Store): { app_id: string; mode: Mode }[] =>
  db.raw.query<{ app_id: string; mode: Mode }, []>("SELECT app_id, mode FROM backup_policies ORDER BY app_id").all();

export const findPolicy = (db: Store, appId: string): Mode | null =>
  db.raw.query<{ mode: Mode }, [string]>("SELECT mode FROM backup_policies WHERE app_id = ?").get(appId)?.mode ?? null;

/** An app that is gone may come back with its data, so its choice stays until as many were made after it. */
const KEPT = 1_000;

/** Null: as the template says. */
export function writePolicy(db: Store, appId: string, mode: Mode | null): void {
  db.raw.query("DELETE FROM backup_policies WHERE app_id = ?").run(appId);
  if (mode === null) return;
  db.raw.query("INSERT INTO backup_policies (app_id, mode) VALUES (?, ?)").run(appId, mode);
  const newest = "SELECT rowid FROM backup_policies ORDER BY rowid DESC LIMIT ?";
  db.raw.query(`DELETE FROM backup_policies WHERE rowid NOT IN (${newest})`).run(KEPT);
}
