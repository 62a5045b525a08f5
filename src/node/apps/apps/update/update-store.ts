import type { Store } from "../../../../kernel/db/store.ts";
import type { AppRow, PortRow } from "../store.ts";
import type { Failure } from "../work/failure.ts";
import type { UpdateStep } from "./update-machine.ts";

/** What an app is at one version: all that its containers and volumes are named and made from. */
export interface Side extends Pick<AppRow, "version" | "config" | "manifest" | "compose" | "generation"> {
  ports: Omit<PortRow, "app_id">[];
}

/** A row of `app_updates`. */
export interface UpdateRow {
  app_id: string;
  kind: "update" | "rollback";
  op_id: string;
  before: Side;
  hops: Side[];
  was_up: boolean;
  step: UpdateStep;
  hop: number;
  failure: Failure | null;
  started_at: string;
  /** When the app was stopped for it, in milliseconds since 1970. */
  down_at: number | null;
  /** How long it did not answer. */
  down_ms: number | null;
  ended_at: string | null;
}

interface Stored extends Omit<UpdateRow, "before" | "hops" | "was_up" | "failure"> {
  before: string;
  hops: string;
  was_up: number;
  failure: string | null;
}

export function findUpdate(db: Store, appId: string): UpdateRow | null {
  const row = db.raw.query<Stored, [string]>("SELECT * FROM app_updates WHERE app_id = ?").get(appId);
  if (!row) return null;
  const before: Side = JSON.parse(row.before);
  const hops: Side[] = JSON.parse(row.hops);
  const failure: Failure | null = row.failure === null ? null : JSON.parse(row.failure);
  return { ...row, before, hops, failure, was_up: row.was_up === 1 };
}

/** Writes the whole row; an earlier update of the app is forgotten. */
export function writeUpdate(db: Store, row: UpdateRow): void {
  db.raw
    .query(
      `INSERT OR REPLACE INTO app_updates (app_id, kind, op_id, before, hops, was_up, step, hop, failure, started_at,
         down_at, down_ms, ended_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      row.app_id,
      row.kind,
      row.op_id,
      JSON.stringify(row.before),
      JSON.stringify(row.hops),
      row.was_up ? 1 : 0,
      row.step,
      row.hop,
      row.failure && JSON.stringify(row.failure),
      row.started_at,
      row.down_at,
      row.down_ms,
      row.ended_at,
    );
}

/** Makes an app what it is at one version; its ports are the caller's. */
export function writeSide(db: Store, appId: string, side: Side): void {
  db.raw
    .query("UPDATE apps SET version = ?, config = ?, manifest = ?, compose = ?, generation = ? WHERE id = ?")
    .run(side.version, side.config, side.manifest, side.compose, side.generation, appId);
}

/** A row of `app_kept`. */
export interface KeptRow {
  app_id: string;
  generation: number;
  side: Side;
  /** False for data that somebody went back from. */
  can_return: boolean;
  kept_until: string;
}

interface StoredKept extends Omit<KeptRow, "side" | "can_return"> {
  side: string;
  can_return: number;
}

function readKept(row: StoredKept): KeptRow {
  const side: Side = JSON.parse(row.side);
  return { ...row, side, can_return: row.can_return === 1 };
}

/** What is kept of an app, latest first. */
export function listKept(db: Store, appId: string): KeptRow[] {
  const sql = "SELECT * FROM app_kept WHERE app_id = ? ORDER BY generation DESC";
  return db.raw.query<StoredKept, [string]>(sql).all(appId).map(readKept);
}

export function listKeptDueBefore(db: Store, now: string): KeptRow[] {
  return db.raw.query<StoredKept, [string]>("SELECT * FROM app_kept WHERE kept_until <= ?").all(now).map(readKept);
}

export function writeKept(db: Store, row: KeptRow): void {
  db.raw
    .query("INSERT OR REPLACE INTO app_kept (app_id, generation, side, can_return, kept_until) VALUES (?, ?, ?, ?, ?)")
    .run(row.app_id, row.generation, JSON.stringify(row.side), row.can_return ? 1 : 0, row.kept_until);
}

export function deleteKept(db: Store, appId: string, generation: number): void {
  db.raw.query("DELETE FROM app_kept WHERE app_id = ? AND generation = ?").run(appId, generation);
}

/** Forgets all that is kept of an app, whose volumes are gone. */
export function forgetKept(db: Store, appId: string): void {
  db.raw.query("DELETE FROM app_kept WHERE app_id = ?").run(appId);
}
