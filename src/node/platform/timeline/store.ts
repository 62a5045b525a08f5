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

/** Which entries. */
export interface Filter {
  /** Null for all. */
  categories: readonly string[] | null;
  /** Part of the title; empty for all. */
  text: string;
  /** What it happened to; null for anything. */
  subject: { kind: string; id: string } | null;
}

/** A place among the entries: by time in milliseconds, then by number. */
export interface Place {
  at: number;
  seq: number;
}

/** The entries before `until` and not before `since`. */
export interface Span {
  since: Place;
  until: Place;
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

const IN_SPAN = `(e.at < $until_at OR (e.at = $until_at AND e.seq < $until_seq))
   AND (e.at > $since_at OR (e.at = $since_at AND e.seq >= $since_seq))`;
const VISIBLE = "(e.least_rank <= $rank OR e.user_id = $user)";
const WITH_TEXT = "AND instr(lower(e.title), $text) > 0";
const NEWEST_FIRST = "ORDER BY e.at DESC, e.seq DESC";

function bindSpan({ since, until }: Span) {
  return { $until_at: until.at, $until_seq: until.seq, $since_at: since.at, $since_seq: since.seq };
}

/** The span cut to its newest `count` entries, so that one question stays short. */
export function newestOf(db: Store, span: Span, count: number): Span {
  const values = { ...bindSpan(span), $count: count };
  const sql = `SELECT e.at, e.seq FROM timeline_events e WHERE ${IN_SPAN} ${NEWEST_FIRST} LIMIT 1 OFFSET $count`;
  const below = db.raw.query<Place, typeof values>(sql).get(values);
  return below ? { since: { at: below.at, seq: below.seq + 1 }, until: span.until } : span;
}

/** The newest entries of a span that the reader may see. */
export function listEvents(
  db: Store,
  reader: Reader,
  { categories, text, subject }: Filter,
  span: Span,
  limit: number,
): EventRow[] {
  const values = {
    ...bindSpan(span),
    $rank: reader.rank,
    $user: reader.user_id,
    $text: text.toLowerCase(),
    $limit: limit,
    $categories: JSON.stringify(categories ?? []),
    $kind: subject?.kind ?? "",
    $subject: subject?.id ?? "",
  };
  const inCategories = categories === null ? "" : "AND e.category IN (SELECT value FROM json_each($categories))";
  const sql = `SELECT e.* FROM timeline_events e WHERE ${IN_SPAN} AND ${VISIBLE} ${inCategories}
     ${subject === null ? "" : "AND e.subject_kind = $kind AND e.subject_id = $subject"}
     ${text === "" ? "" : WITH_TEXT} ${NEWEST_FIRST} LIMIT $limit`;
  return db.raw.query<EventRow, typeof values>(sql).all(values);
}

/** The newest entries of some types within [since, until), but those about another thing of the subject's kind. */
export function listOfTypes(
  db: Store,
  reader: Reader,
  types: readonly string[],
  subject: { kind: string; id: string },
  span: { since: number; until: number },
  limit: number,
): EventRow[] {
  const values = {
    $types: JSON.stringify(types),
    $kind: subject.kind,
    $id: subject.id,
    $since: span.since,
    $until: span.until,
    $rank: reader.rank,
    $user: reader.user_id,
    $limit: limit,
  };
  const sql = `SELECT e.* FROM timeline_events e WHERE e.at >= $since AND e.at < $until AND ${VISIBLE}
     AND e.type IN (SELECT value FROM json_each($types)) AND (e.subject_kind <> $kind OR e.subject_id = $id)
     ${NEWEST_FIRST} LIMIT $limit`;
  return db.raw.query<EventRow, typeof values>(sql).all(values);
}

/** How many entries of a span each category has that the reader may see. */
export function countByCategory(
  db: Store,
  reader: Reader,
  text: string,
  span: Span,
): { category: TimelineCategory; count: number }[] {
  const values = { ...bindSpan(span), $rank: reader.rank, $user: reader.user_id, $text: text.toLowerCase() };
  const sql = `SELECT e.category, count(*) AS count FROM timeline_events e WHERE ${IN_SPAN} AND ${VISIBLE}
     ${text === "" ? "" : WITH_TEXT} GROUP BY e.category`;
  return db.raw.query<{ category: TimelineCategory; count: number }, typeof values>(sql).all(values);
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
