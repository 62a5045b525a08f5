import type { Store } from "../../../kernel/db/store.ts";
import { type HourMean, KEPT_WEEKS, slotOf } from "./baseline.ts";

/** A row of `anomalies`; times in milliseconds. */
export interface AnomalyRow {
  id: string;
  metric: string;
  started_at: number;
  last_at: number;
  ended_at: number | null;
  peak_at: number;
  value: number;
  mean: number;
  stddev: number;
  z: number;
}

const KEPT_ANOMALIES = 1_000;

/** Hours of a metric up to `hour`, oldest first: later ones were written while the clock was wrong. */
export function listHours(db: Store, metric: string, hour: number): HourMean[] {
  const sql = "SELECT hour, mean, residual FROM baseline_hours WHERE metric = ? AND hour <= ? ORDER BY hour";
  return db.raw.query<HourMean, [string, number]>(sql).all(metric, hour);
}

/** Keeps an hour and, of those before it, what makes eight weeks of its slot. */
export function writeHour(db: Store, metric: string, { hour, mean, residual }: HourMean): void {
  const slot = slotOf(hour);
  db.raw
    .query("INSERT OR REPLACE INTO baseline_hours (metric, slot, hour, mean, residual) VALUES (?, ?, ?, ?, ?)")
    .run(metric, slot, hour, mean, residual);
  db.raw
    .query(
      `DELETE FROM baseline_hours WHERE metric = ?1 AND slot = ?2 AND hour < (
         SELECT hour FROM baseline_hours WHERE metric = ?1 AND slot = ?2 AND hour <= ?3 ORDER BY hour DESC
         LIMIT 1 OFFSET ?4)`,
    )
    .run(metric, slot, hour, KEPT_WEEKS - 1);
}

/** The latest anomaly of a metric that began by `t`. */
export function findLatestAnomaly(db: Store, metric: string, t: number): AnomalyRow | null {
  const sql = "SELECT * FROM anomalies WHERE metric = ? AND started_at <= ? ORDER BY started_at DESC LIMIT 1";
  return db.raw.query<AnomalyRow, [string, number]>(sql).get(metric, t);
}

/** Anomalies of one metric, or of all, newest first. */
export function listAnomalies(db: Store, metric: string | null, limit: number): AnomalyRow[] {
  const sql = "SELECT * FROM anomalies WHERE metric = ?1 OR ?1 IS NULL ORDER BY started_at DESC, id DESC LIMIT ?2";
  return db.raw.query<AnomalyRow, [string | null, number]>(sql).all(metric, limit);
}

/** Writes an anomaly anew or over its earlier state; the oldest beyond a thousand are forgotten. */
export function writeAnomaly(db: Store, row: AnomalyRow): void {
  db.raw
    .query(
      `INSERT OR REPLACE INTO anomalies (id, metric, started_at, last_at, ended_at, peak_at, value, mean, stddev, z)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      row.id,
      row.metric,
      row.started_at,
      row.last_at,
      row.ended_at,
      row.peak_at,
      row.value,
      row.mean,
      row.stddev,
      row.z,
    );
  db.raw
    .query("DELETE FROM anomalies WHERE id IN (SELECT id FROM anomalies ORDER BY started_at DESC LIMIT -1 OFFSET ?)")
    .run(KEPT_ANOMALIES);
}
