import type { Store } from "../../../kernel/db/store.ts";

/** A row of `audit_log`; `details` as JSON text. */
export interface AuditRow {
  seq: number;
  id: string;
  action: string;
  resource: string;
  details: string;
  ip_address: string;
  timestamp: string;
  hash: string;
}

export function insertEntry(db: Store, row: Omit<AuditRow, "seq">): void {
  db.raw
    .query(
      `INSERT INTO audit_log (id, action, resource, details, ip_address, timestamp, hash)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(row.id, row.action, row.resource, row.details, row.ip_address, row.timestamp, row.hash);
}

/** Hash of the newest entry; empty before the first. */
export function lastHash(db: Store): string {
  const sql = "SELECT hash FROM audit_log ORDER BY seq DESC LIMIT 1";
  return db.raw.query<{ hash: string }, []>(sql).get()?.hash ?? "";
}

export function findEntry(db: Store, id: string): AuditRow | null {
  return db.raw.query<AuditRow, [string]>("SELECT * FROM audit_log WHERE id = ?").get(id);
}

/** Which entries: numbers from `from_seq` to before `before_seq`, times as text, everything else empty for all. */
export interface AuditFilter {
  from_seq: number;
  before_seq: number;
  /** Beginning of the action. */
  action: string;
  from: string;
  to: string;
  /** Part of resource, details or address. */
  text: string;
}

/** The newest entries that fit, newest first. */
export function listEntries(db: Store, filter: AuditFilter, limit: number): AuditRow[] {
  const sql = `SELECT * FROM audit_log
     WHERE seq >= $from_seq AND seq < $before_seq AND substr(action, 1, length($action)) = $action
       AND timestamp >= $from AND timestamp < $to
       AND ($text = '' OR instr(lower(resource || ' ' || details || ' ' || ip_address), $text) > 0)
     ORDER BY seq DESC LIMIT $limit`;
  const values = {
    $from_seq: filter.from_seq,
    $before_seq: filter.before_seq,
    $action: filter.action,
    $from: filter.from,
    $to: filter.to,
    $text: filter.text.toLowerCase(),
    $limit: limit,
  };
  return db.raw.query<AuditRow, typeof values>(sql).all(values);
}

/** Entries after `afterSeq`, oldest first. */
export function listEntriesAfter(db: Store, afterSeq: number, limit: number): AuditRow[] {
  const sql = "SELECT * FROM audit_log WHERE seq > ? ORDER BY seq LIMIT ?";
  return db.raw.query<AuditRow, [number, number]>(sql).all(afterSeq, limit);
}

/** Where the log begins: after an entry that was forgotten, with its hash and the mark that proves it. */
export interface StartRow {
  seq: number;
  hash: string;
  mark: string;
}

export const findStart = (db: Store): StartRow | null =>
  db.raw.query<StartRow, []>("SELECT seq, hash, mark FROM audit_start").get();

/** Has the log begin after an entry, and removes that one and all before it. */
export function moveStart(db: Store, { seq, hash, mark }: StartRow): void {
  db.raw.query("INSERT OR REPLACE INTO audit_start (one, seq, hash, mark) VALUES (1, ?, ?, ?)").run(seq, hash, mark);
  db.raw.query("DELETE FROM audit_log WHERE seq <= ?").run(seq);
}

/** Numbers of the oldest and of the newest entry; null where there is none. */
export function findSpan(db: Store): { first: number; last: number } | null {
  // Asked for together they would be looked for in the whole log.
  const sql = "SELECT (SELECT min(seq) FROM audit_log) AS first, (SELECT max(seq) FROM audit_log) AS last";
  const row = db.raw.query<{ first: number | null; last: number | null }, []>(sql).get();
  return row?.first == null || row.last === null ? null : { first: row.first, last: row.last };
}

/** Number of the oldest entry that is not from before a time, of those before a number; null where all are. */
export function firstSince(db: Store, time: string, before: number): number | null {
  const sql = "SELECT seq FROM audit_log WHERE timestamp >= ? AND seq < ? ORDER BY seq LIMIT 1";
  return db.raw.query<{ seq: number }, [string, number]>(sql).get(time, before)?.seq ?? null;
}

export function findHash(db: Store, seq: number): string | null {
  return db.raw.query<{ hash: string }, [number]>("SELECT hash FROM audit_log WHERE seq = ?").get(seq)?.hash ?? null;
}

/** Number of the newest entry that was ever written, also when it is gone; 0 before the first. */
export function lastNumber(db: Store): number {
  const sql = "SELECT seq FROM sqlite_sequence WHERE name = 'audit_log'";
  return db.raw.query<{ seq: number }, []>(sql).get()?.seq ?? 0;
}
