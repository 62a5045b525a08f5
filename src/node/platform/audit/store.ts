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

/** Number of the newest entry that was ever written, also when it is gone; 0 before the first. */
export function lastNumber(db: Store): number {
  const sql = "SELECT seq FROM sqlite_sequence WHERE name = 'audit_log'";
  return db.raw.query<{ seq: number }, []>(sql).get()?.seq ?? 0;
}
