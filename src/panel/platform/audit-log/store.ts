import type { SqlValue } from "../../../kernel/sql/port.ts";
import { escapeLike } from "../../../lib/like-pattern.ts";
import type { NameSource } from "../../base.ts";
import type { TenantDb } from "../../data/tenant-db.ts";

/** An entry with the names that its ids have now. Time in milliseconds, details as JSON. */
export interface EntryRow {
  id: string;
  at: number;
  member_id: string;
  action: string;
  subject_id: string;
  details: string;
  ip: string;
  actor_name: string | null;
  /** Of the node that the entry is about, if it is about one. */
  node_name: string | null;
  subject_name: string | null;
}

/** Which entries; times in milliseconds, null for all. */
export interface EntryFilter {
  /** Older than this one. */
  after: Place | null;
  action: string | null;
  member_id: string | null;
  from: number | null;
  to: number | null;
  text: string | null;
}

/** A place in the log. */
export interface Place {
  at: number;
  id: string;
}

/** The name that the first of the sources has for an id, as an SQL expression; NULL when none has one. */
function nameOf(sources: readonly NameSource[], id: string): string {
  const found = sources.map(({ select }) => `(${select(id)})`);
  // One alone is not taken by the function.
  return found.length > 1 ? `coalesce(${found.join(", ")})` : (found[0] ?? "NULL");
}

/** Entries with the names that their ids have now. */
function named(names: readonly NameSource[]): string {
  const of = (kind: string) => names.filter((source) => source.kind === kind);
  const things = names.filter(({ kind }) => kind !== "member");
  return `SELECT e.id, e.at, e.member_id, e.action, e.subject_id, e.details, e.ip,
    ${nameOf(of("member"), "e.member_id")} AS actor_name, ${nameOf(of("node"), "e.subject_id")} AS node_name,
    ${nameOf([...things, ...of("member")], "e.subject_id")} AS subject_name FROM audit_entries e`;
}

type Wish = [sql: string, values: SqlValue[]];

/** What a filter says of the part of the log. */
function partOf({ after, from, to }: Pick<EntryFilter, "after" | "from" | "to">): Wish[] {
  const wishes: Wish[] = [["e.tenant_id = :tenant", []]];
  if (after !== null) wishes.push(["(e.at, e.id) < (?, ?)", [after.at, after.id]]);
  if (from !== null) wishes.push(["e.at >= ?", [from]]);
  if (to !== null) wishes.push(["e.at < ?", [to]]);
  return wishes;
}

/** Where the part of the log ends that a filter means, if no more than so many entries are looked at; null when it has fewer. */
export function findEnd(db: TenantDb, filter: EntryFilter, entries: number): Promise<Place | null> {
  const wishes = partOf(filter);
  const where = wishes.map(([sql]) => sql).join(" AND ");
  const sql = `SELECT e.at, e.id FROM audit_entries e WHERE ${where} ORDER BY e.at DESC, e.id DESC LIMIT 1 OFFSET ?`;
  return db.get(sql, [...wishes.flatMap(([, each]) => each), entries - 1]);
}

/** The newest entries that fit, newest first; none that is older than `until`. */
export function listEntries(
  db: TenantDb,
  names: readonly NameSource[],
  filter: EntryFilter,
  limit: number,
  until: Place | null,
): Promise<EntryRow[]> {
  const wishes = partOf(filter);
  if (until !== null) wishes.push(["(e.at, e.id) >= (?, ?)", [until.at, until.id]]);
  if (filter.member_id !== null) wishes.push(["e.member_id = ?", [filter.member_id]]);
  if (filter.action !== null) wishes.push(["e.action LIKE ? ESCAPE '\\'", [`${escapeLike(filter.action)}%`]]);
  if (filter.text !== null) {
    const searched = names.filter(({ isSearched }) => isSearched).map(({ select }) => select("e.subject_id"));
    const texts = ["e.subject_id", "e.details", "e.ip", ...searched.map((name) => `coalesce((${name}), '')`)];
    wishes.push([
      `lower(${texts.join(" || ' ' || ")}) LIKE ? ESCAPE '\\'`,
      [`%${escapeLike(filter.text.toLowerCase())}%`],
    ]);
  }
  const where = wishes.map(([sql]) => sql).join(" AND ");
  const values = wishes.flatMap(([, each]) => each);
  return db.all(`${named(names)} WHERE ${where} ORDER BY e.at DESC, e.id DESC LIMIT ?`, [...values, limit]);
}

/** When an entry was written; null when there is none. */
export async function findTime(db: TenantDb, id: string): Promise<number | null> {
  const sql = "SELECT at FROM audit_entries WHERE tenant_id = :tenant AND id = ?";
  return (await db.get<{ at: number }>(sql, [id]))?.at ?? null;
}
