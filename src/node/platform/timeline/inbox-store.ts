import type { Store } from "../../../kernel/db/store.ts";
import type { EventRow, Place, Reader } from "./store.ts";

const MINE = `FROM timeline_events e WHERE e.is_inbox = 1 AND (e.least_rank <= $rank OR e.user_id = $user)`;
const IS_READ = `(e.seq <= coalesce((SELECT read_through FROM inbox_marks WHERE user_id = $user), 0)
   OR EXISTS (SELECT 1 FROM inbox_reads r WHERE r.user_id = $user AND r.seq = e.seq))`;

interface Values {
  $rank: number;
  $user: string;
}

const valuesOf = ({ rank, user_id }: Reader): Values => ({ $rank: rank, $user: user_id });

/** A page of notifications since `since`, newest first. */
export function listInbox(
  db: Store,
  reader: Reader,
  since: number,
  after: Place | null,
  limit: number,
): (EventRow & { is_read: number })[] {
  const sql = `SELECT e.*, ${IS_READ} AS is_read ${MINE} AND e.at >= $since
     AND (e.at < $at OR (e.at = $at AND e.seq < $seq)) ORDER BY e.at DESC, e.seq DESC LIMIT $limit`;
  const values = {
    ...valuesOf(reader),
    $since: since,
    $at: after?.at ?? Number.MAX_SAFE_INTEGER,
    $seq: after?.seq ?? 0,
    $limit: limit,
  };
  return db.raw.query<EventRow & { is_read: number }, typeof values>(sql).all(values);
}

export function countUnread(db: Store, reader: Reader, since: number): number {
  const values = { ...valuesOf(reader), $since: since };
  const sql = `SELECT count(*) AS count ${MINE} AND e.at >= $since AND NOT ${IS_READ}`;
  return db.raw.query<{ count: number }, typeof values>(sql).get(values)?.count ?? 0;
}

/** The notification if the reader may see it. */
export function findInboxItem(db: Store, reader: Reader, id: string): { seq: number } | null {
  const values = { ...valuesOf(reader), $id: id };
  return db.raw.query<{ seq: number }, typeof values>(`SELECT e.seq ${MINE} AND e.id = $id`).get(values);
}

export function markRead(db: Store, userId: string, seq: number): void {
  db.raw.query("INSERT OR IGNORE INTO inbox_reads (user_id, seq) VALUES (?, ?)").run(userId, seq);
}

/** Counts everything so far as read. */
export function markAllRead(db: Store, userId: string): void {
  db.raw
    .query(
      `INSERT OR REPLACE INTO inbox_marks (user_id, read_through)
       VALUES (?, coalesce((SELECT max(seq) FROM timeline_events), 0))`,
    )
    .run(userId);
  db.raw.query("DELETE FROM inbox_reads WHERE user_id = ?").run(userId);
}

export function forgetReader(db: Store, userId: string): void {
  db.raw.query("DELETE FROM inbox_marks WHERE user_id = ?").run(userId);
  db.raw.query("DELETE FROM inbox_reads WHERE user_id = ?").run(userId);
}

/** Forgets the marks on entries that are gone. */
export function pruneReads(db: Store): void {
  db.raw.query("DELETE FROM inbox_reads WHERE seq < (SELECT coalesce(min(seq), 0) FROM timeline_events)").run();
}
