import { isRecord, parseJson } from "../../../lib/json.ts";
import type { NodeContext } from "../../context.ts";
import { type AuditEntry, type AuditQuery, fail } from "./contract.ts";
import { findEntry, listEntries } from "./store.ts";

const DEFAULT_LIMIT = 100;

/** The newest entries first, going on after `cursor`. Throws `audit_cursor_unknown`. */
export function readAuditLog({ db }: Pick<NodeContext, "db">, query: AuditQuery): AuditEntry[] {
  const from = query.cursor === undefined ? null : findEntry(db, query.cursor);
  if (query.cursor !== undefined && !from) throw fail("audit_cursor_unknown", { cursor: query.cursor });
  const rows = listEntries(db, from?.seq ?? Number.MAX_SAFE_INTEGER, query.action ?? "", query.limit ?? DEFAULT_LIMIT);
  return rows.map(({ id, action, resource, details, ip_address, timestamp }) => {
    const parsed = parseJson(details);
    return { id, action, resource, details: isRecord(parsed) ? parsed : {}, ip_address, timestamp };
  });
}
