import type { SqlValue } from "../../../kernel/sql/port.ts";
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
  node_name: string | null;
  member_name: string | null;
  group_name: string | null;
  token_name: string | null;
}

/** Which entries; times in milliseconds, null for all. */
export interface EntryFilter {
  /** Older than this one. */
  after: { at: number; id: string } | null;
  action: string | null;
  member_id: string | null;
  from: number | null;
  to: number | null;
  text: string | null;
}

const NAMED = `SELECT e.id, e.at, e.member_id, e.action, e.subject_id, e.details, e.ip, aa.display_name AS actor_name,
  n.hostname AS node_name, sa.display_name AS member_name, g.name AS group_name, r.name AS token_name
  FROM audit_entries e
  LEFT JOIN members am ON am.tenant_id = e.tenant_id AND am.id = e.member_id
  LEFT JOIN accounts aa ON aa.id = am.account_id
  LEFT JOIN nodes n ON n.tenant_id = e.tenant_id AND n.id = e.subject_id
  LEFT JOIN members sm ON sm.tenant_id = e.tenant_id AND sm.id = e.subject_id
  LEFT JOIN accounts sa ON sa.id = sm.account_id
  LEFT JOIN node_groups g ON g.tenant_id = e.tenant_id AND g.id = e.subject_id
  LEFT JOIN registration_tokens r ON r.tenant_id = e.tenant_id AND r.id = e.subject_id`;

/** The newest entries that fit, newest first. */
export function listEntries(db: TenantDb, filter: EntryFilter, limit: number): Promise<EntryRow[]> {
  const { after } = filter;
  const wishes: [sql: string, values: SqlValue[]][] = [["e.tenant_id = :tenant", []]];
  if (after !== null) wishes.push(["(e.at, e.id) < (?, ?)", [after.at, after.id]]);
  if (filter.from !== null) wishes.push(["e.at >= ?", [filter.from]]);
  if (filter.to !== null) wishes.push(["e.at < ?", [filter.to]]);
  if (filter.member_id !== null) wishes.push(["e.member_id = ?", [filter.member_id]]);
  if (filter.action !== null) wishes.push(["e.action LIKE ? ESCAPE '\\'", [`${escaped(filter.action)}%`]]);
  if (filter.text !== null)
    wishes.push([
      "lower(e.subject_id || ' ' || e.details || ' ' || e.ip || ' ' || coalesce(n.hostname, '')) LIKE ? ESCAPE '\\'",
      [`%${escaped(filter.text.toLowerCase())}%`],
    ]);
  const where = wishes.map(([sql]) => sql).join(" AND ");
  const values = wishes.flatMap(([, each]) => each);
  return db.all(`${NAMED} WHERE ${where} ORDER BY e.at DESC, e.id DESC LIMIT ?`, [...values, limit]);
}

/** When an entry was written; null when there is none. */
export async function findTime(db: TenantDb, id: string): Promise<number | null> {
  const sql = "SELECT at FROM audit_entries WHERE tenant_id = :tenant AND id = ?";
  return (await db.get<{ at: number }>(sql, [id]))?.at ?? null;
}

/** A text in which no sign stands for any other. */
const escaped = (text: string): string => text.replace(/[\\%_]/g, "\\$&");
