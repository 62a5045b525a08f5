import type { Store } from "../../../kernel/db/store.ts";
import type { OperationEvent, PlannedStep } from "./contract.ts";

export interface OperationRow {
  id: string;
  kind: string;
  subject_id: string;
  title: string;
  status: "running" | "done" | "failed";
  started_at: number;
  finished_at: number | null;
  /** JSON of an OperationError. */
  error: string | null;
  /** Who asked for it; null when the node began it by itself. */
  user_id: string | null;
  ip: string | null;
  /** What it is part of. */
  purpose: string | null;
}

export function insertOperation(db: Store, row: OperationRow): void {
  db.raw
    .query(
      `INSERT INTO operations (id, kind, subject_id, title, status, started_at, finished_at, error, user_id,
         ip, purpose)
       VALUES ($id, $kind, $subject_id, $title, $status, $started_at, $finished_at, $error, $user_id, $ip, $purpose)`,
    )
    .run({
      $id: row.id,
      $kind: row.kind,
      $subject_id: row.subject_id,
      $title: row.title,
      $status: row.status,
      $started_at: row.started_at,
      $finished_at: row.finished_at,
      $error: row.error,
      $user_id: row.user_id,
      $ip: row.ip,
      $purpose: row.purpose,
    });
}

export function finishOperation(db: Store, row: OperationRow): void {
  db.raw
    .query("UPDATE operations SET status = ?, finished_at = ?, error = ? WHERE id = ?")
    .run(row.status, row.finished_at, row.error, row.id);
}

export function findOperation(db: Store, id: string): OperationRow | null {
  return db.raw.query<OperationRow, [string]>("SELECT * FROM operations WHERE id = ?").get(id);
}

/** The operation on a subject that began last. */
export function findNewestOperation(db: Store, subjectId: string): OperationRow | null {
  const sql = "SELECT * FROM operations WHERE subject_id = ? ORDER BY started_at DESC, id DESC LIMIT 1";
  return db.raw.query<OperationRow, [string]>(sql).get(subjectId);
}

/** Running ones and those that ended after `since`, newest first, at most 100. */
export function listRecentOperations(db: Store, since: number): OperationRow[] {
  const sql =
    "SELECT * FROM operations WHERE status = 'running' OR finished_at > ? ORDER BY started_at DESC, id DESC LIMIT 100";
  return db.raw.query<OperationRow, [number]>(sql).all(since);
}

/** Every operation that is not over, oldest first. */
export function listRunning(db: Store): OperationRow[] {
  return db.raw.query<OperationRow, []>("SELECT * FROM operations WHERE status = 'running' ORDER BY id").all();
}

/** Writes events as JSON; `events` is `[seq, json]` pairs. */
export function insertEvents(db: Store, operationId: string, events: readonly (readonly [number, string])[]): void {
  const insert = db.raw.query("INSERT INTO operation_events (operation_id, seq, event) VALUES (?, ?, ?)");
  db.tx(() => {
    for (const [seq, json] of events) insert.run(operationId, seq, json);
  });
}

/** JSON of the first `limit` stored events with `seq >= from`, in order. */
export function readEvents(db: Store, operationId: string, from: number, limit: number): string[] {
  const sql = "SELECT event FROM operation_events WHERE operation_id = ? AND seq >= ? ORDER BY seq LIMIT ?";
  return db.raw
    .query<{ event: string }, [string, number, number]>(sql)
    .all(operationId, from, limit)
    .map((row) => row.event);
}

/** The steps that an operation was begun with, as its first event says. */
export function readPlan(db: Store, operationId: string): PlannedStep[] {
  const [json] = readEvents(db, operationId, 1, 1);
  if (json === undefined) return [];
  const { steps }: OperationEvent = JSON.parse(json);
  return steps ?? [];
}

export function lastSeq(db: Store, operationId: string): number {
  const sql = "SELECT max(seq) AS seq FROM operation_events WHERE operation_id = ?";
  return db.raw.query<{ seq: number | null }, [string]>(sql).get(operationId)?.seq ?? 0;
}

export function deleteFinishedBefore(db: Store, before: number): void {
  db.raw.query("DELETE FROM operations WHERE finished_at < ?").run(before);
}
