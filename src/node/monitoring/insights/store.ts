import type { Store } from "../../../kernel/db/store.ts";

export interface RunRow {
  predictor: string;
  scored_at: string;
  /** JSON of Prediction[]. */
  predictions: string;
}

export function listRuns(db: Store): RunRow[] {
  return db.raw.query<RunRow, []>("SELECT predictor, scored_at, predictions FROM insight_runs").all();
}

export function writeRun(db: Store, row: RunRow): void {
  db.raw
    .query("INSERT OR REPLACE INTO insight_runs (predictor, scored_at, predictions) VALUES (?, ?, ?)")
    .run(row.predictor, row.scored_at, row.predictions);
}

/** What came down in an hour. */
export interface Ends {
  restarts: number;
  crashes: number;
  ooms: number;
}

/** Adds to what an app's hour has. */
export function addEnds(db: Store, appId: string, hour: number, ends: Ends): void {
  db.raw
    .query(
      `INSERT INTO app_ends (app_id, hour, restarts, crashes, ooms) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (app_id, hour) DO UPDATE SET restarts = restarts + excluded.restarts,
         crashes = crashes + excluded.crashes, ooms = ooms + excluded.ooms`,
    )
    .run(appId, hour, ends.restarts, ends.crashes, ends.ooms);
}

/** Sums of an app with `after < hour <= until`. */
export function sumEnds(db: Store, appId: string, after: number, until: number): Ends {
  const sql = `SELECT coalesce(sum(restarts), 0) AS restarts, coalesce(sum(crashes), 0) AS crashes,
    coalesce(sum(ooms), 0) AS ooms FROM app_ends WHERE app_id = ? AND hour > ? AND hour <= ?`;
  return (
    db.raw.query<Ends, [string, number, number]>(sql).get(appId, after, until) ?? { restarts: 0, crashes: 0, ooms: 0 }
  );
}

/** Forgets hours up to `hour`. */
export function forgetEnds(db: Store, hour: number): void {
  db.raw.query("DELETE FROM app_ends WHERE hour <= ?").run(hour);
}

/** Since when ends are counted, in milliseconds: since `now` when nobody asked before. */
export function countedSince(db: Store, now: number): number {
  db.raw.query("INSERT OR IGNORE INTO app_ends_since (id, at) VALUES (1, ?)").run(now);
  return db.raw.query<{ at: number }, []>("SELECT at FROM app_ends_since").get()?.at ?? now;
}

export interface AlertRow {
  predictor: string;
  risk_level: string;
  raised_at: number;
  is_standing: number;
}

export function findAlert(db: Store, predictor: string): AlertRow | null {
  return db.raw.query<AlertRow, [string]>("SELECT * FROM insight_alerts WHERE predictor = ?").get(predictor);
}

export function writeAlert(db: Store, row: AlertRow): void {
  db.raw
    .query("INSERT OR REPLACE INTO insight_alerts (predictor, risk_level, raised_at, is_standing) VALUES (?, ?, ?, ?)")
    .run(row.predictor, row.risk_level, row.raised_at, row.is_standing);
}
