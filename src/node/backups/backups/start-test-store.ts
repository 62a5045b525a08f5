import type { Store } from "../../../kernel/db/store.ts";

/** A row of `backup_start_tests`. */
export interface StartTestRow {
  app_id: string;
  backup_id: string;
  outcome: "answered" | "failed" | "skipped";
  cause: string | null;
  tried_at: string;
  answered_at: string | null;
}

export const listStartTests = (db: Store): StartTestRow[] =>
  db.raw.query<StartTestRow, []>("SELECT * FROM backup_start_tests ORDER BY app_id").all();

/** When it last answered stays, unless it did so now. */
export function writeStartTest(
  db: Store,
  { app_id, backup_id, outcome, cause, tried_at }: Omit<StartTestRow, "answered_at">,
): void {
  db.raw
    .query(
      `INSERT INTO backup_start_tests (app_id, backup_id, outcome, cause, tried_at, answered_at) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (app_id) DO UPDATE SET backup_id = excluded.backup_id, outcome = excluded.outcome, cause = excluded.cause,
         tried_at = excluded.tried_at, answered_at = coalesce(excluded.answered_at, answered_at)`,
    )
    .run(app_id, backup_id, outcome, cause, tried_at, outcome === "answered" ? tried_at : null);
}

export function deleteStartTest(db: Store, appId: string): void {
  db.raw.query("DELETE FROM backup_start_tests WHERE app_id = ?").run(appId);
}
