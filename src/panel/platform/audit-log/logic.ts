import { toIso } from "../../../lib/clock.ts";
import { isRecord, parseJson } from "../../../lib/json.ts";
import type { TenantDb } from "../../data/tenant-db.ts";
import { keptSince } from "../audit/index.ts";
import { AUDIT_DEFAULT, type AuditEntry, type AuditPage, type AuditQuery, fail } from "./contract.ts";
import type { Needs } from "./needs.ts";
import { type EntryRow, findTime, listEntries } from "./store.ts";

/** What happened in a workspace, newest first. Throws `audit_cursor_unknown`. */
export async function readAudit(needs: Needs, db: TenantDb, query: AuditQuery): Promise<AuditPage> {
  const { limit = AUDIT_DEFAULT, cursor } = query;
  const at = cursor === undefined ? null : await findTime(db, cursor);
  if (cursor !== undefined && at === null) throw fail("audit_cursor_unknown", { cursor });
  const filter = {
    after: cursor === undefined || at === null ? null : { at, id: cursor },
    action: query.action || null,
    member_id: query.actor ?? null,
    from: query.from === undefined ? null : Date.parse(query.from),
    to: query.to === undefined ? null : Date.parse(query.to),
    text: query.q?.trim() || null,
  };
  const rows = await listEntries(db, needs.lists.names.all(), filter, limit + 1);
  const shown = rows.slice(0, limit);
  return {
    entries: shown.map(present),
    next_cursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
    kept_since: toIso(keptSince(needs)),
  };
}

function present(row: EntryRow): AuditEntry {
  const details = parseJson(row.details);
  return {
    id: row.id,
    timestamp: toIso(row.at),
    action: row.action,
    actor: actorOf(row),
    subject: { id: row.subject_id, name: row.subject_name },
    details: isRecord(details) ? details : {},
    ip_address: row.ip,
  };
}

/** Nodes speak for themselves: what one did, it did to itself. */
function actorOf({ member_id, subject_id, actor_name, node_name }: EntryRow): AuditEntry["actor"] {
  if (member_id === "agent") return { kind: "node", id: subject_id, name: node_name };
  if (member_id === "directory") return { kind: "directory", id: "directory", name: null };
  if (member_id === "operator") return { kind: "operator", id: "operator", name: null };
  if (member_id === "panel") return { kind: "panel", id: "panel", name: null };
  if (member_id === "visitor") return { kind: "visitor", id: "visitor", name: null };
  return { kind: "member", id: member_id, name: actor_name };
}
