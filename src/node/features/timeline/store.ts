import type { Store } from "../../../kernel/db/store.ts";
import type { Severity, TimelineCategory } from "./contract.ts";

/** A row of `timeline_events`; `at` in milliseconds. */
export interface EventRow {
  seq: number;
  id: string;
  at: number;
  count: number;
  category: TimelineCategory;
  type: string;
  severity: Severity;
  title: string;
  subject_kind: string;
  subject_id: string;
  link: string | null;
  least_rank: number;
  user_id: string | null;
  is_inbox: number;
  fold: string | null;
}

/** Who reads: the rank of the role, and the user whose own entries show in any case. */
export interface Reader {
  rank: number;
  user_id: string;
}

/** Which entries; times in milliseconds, `to` not included. */
export interface Filter {
  /** Null for all. */
  categories: readonly string[] | null;
  from: number;
  to: number;
  /** Part of the title; empty for all. */
  text: string;
}

/** The last entry of the page before. */
export interface Place {
  at: number;
  seq: number;
}

type Row = Omit<EventRow, "seq">;

export function insertEvent(db: Store, row: Row): void {
  db.raw
    .query(
      `INSERT INTO timeline_events (id, at, count, category, type, severity, title, subject_kind, subject_id, link,
         least_rank, user_id, is_inbox, fold)
       VALUES ($id, $at, $count, $category, $type, $severity, $title, $subject_kind, $subject_id, $link,
         $least_rank, $user_id, $is_inbox, $fold)`,
    )
    .run(Object.fromEntries(Object.entries(row).map(([name, value]) => [`$${name}`, value])));
}

/** Counts a repeat on the newest entry with the same fold since `since`; false when there is none. */
export function countRepeat(db: Store, row: Row, since: number): boolean {
  const sql = `UPDATE timeline_events SET count = count + 1, at = ?, title = ?, subject_id = ?
     WHERE seq = (SELECT seq FROM timeline_events WHERE fold = ? AND at BETWEEN ? AND ? ORDER BY at DESC LIMIT 1)`;
  return db.raw.query(sql).run(row.at, row.title, row.subject_id, row.fold, since, row.at).changes > 0;
}

const COLUMNS = `FROM timeline_events e WHERE (e.at < $at OR (e.at = $at AND e.seq < $seq)) AND e.at >= $from
   AND (e.least_rank <= $rank OR e.user_id = $user) AND ($text = '' OR instr(lower(e.title), $text) > 0)`;

function bind(reader: Reader, filter: Filter, after: Place | null) {
  return {
    $at: after?.at ?? filter.to,
    $seq: after?.seq ?? 0,
    $from: filter.from,
    $rank: reader.rank,
    $user: reader.user_id,
    $text: filter.text.toLowerCase(),
  };
}

/** A page of entries, newest first. */
export function listEvents(db: Store, reader: Reader, filter: Filter, after: Place | null, limit: number): EventRow[] {
  const values = { ...bind(reader, filter, after), $limit: limit };
  const order = "ORDER BY e.at DESC, e.seq DESC LIMIT $limit";
  const [only, ...others] = filter.categories ?? [];
  if (only === undefined) return db.raw.query<EventRow, typeof values>(`SELECT e.* ${COLUMNS} ${order}`).all(values);
  // One category has an index of its own; several are picked out on the way.
  if (others.length === 0) {
    const sql = `SELECT e.* ${COLUMNS} AND e.category = $category ${order}`;
    return db.raw.query<EventRow, typeof values & { $category: string }>(sql).all({ ...values, $category: only });
  }
  const sql = `SELECT e.* ${COLUMNS} AND e.category IN (SELECT value FROM json_each($categories)) ${order}`;
  return db.raw
    .query<EventRow, typeof values & { $categories: string }>(sql)
    .all({ ...values, $categories: JSON.stringify(filter.categories) });
}

/** Entries of each category that has some. */
export function countByCategory(db: Store, reader: Reader, filter: Filter): { category: string; count: number }[] {
  const sql = `SELECT e.category, count(*) AS count ${COLUMNS} GROUP BY e.category`;
  return db.raw
    .query<{ category: string; count: number }, ReturnType<typeof bind>>(sql)
    .all(bind(reader, filter, null));
}

/** The version that ran last; null before the first start. */
export function readLastVersion(db: Store): string | null {
  return db.raw.query<{ version: string }, []>("SELECT version FROM timeline_last_start").get()?.version ?? null;
}

export function writeLastVersion(db: Store, version: string): void {
  db.raw.query("INSERT OR REPLACE INTO timeline_last_start (only_row, version) VALUES (1, ?)").run(version);
}

/** Removes at most `limit` of the entries from before `before`; returns how many. */
export function pruneOlder(db: Store, before: number, limit: number): number {
  const sql = `DELETE FROM timeline_events WHERE seq IN
     (SELECT seq FROM timeline_events WHERE at < ? ORDER BY at LIMIT ?)`;
  return db.raw.query(sql).run(before, limit).changes;
}

/** Removes at most `limit` of the oldest entries above `kept`; returns how many. */
export function pruneAbove(db: Store, kept: number, limit: number): number {
  const sql = `DELETE FROM timeline_events WHERE seq IN
     (SELECT seq FROM timeline_events ORDER BY at LIMIT min(?, max(0, (SELECT count(*) FROM timeline_events) - ?)))`;
  return db.raw.query(sql).run(limit, kept).changes;
}
