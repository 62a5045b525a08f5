import { setImmediate } from "node:timers/promises";
import { kernelFail } from "../../../kernel/http/errors.ts";
import { toIso } from "../../../lib/clock.ts";
import { isRecord, parseJson } from "../../../lib/json.ts";
import { parseMoment } from "../../../lib/moment.ts";
import type { NodeBase } from "../../base.ts";
import { type AuditEntry, type AuditQuery, fail } from "./contract.ts";
import { type AuditRow, findEntry, lastNumber, listEntries } from "./store.ts";

type Deps = Pick<NodeBase, "db">;

const DEFAULT_LIMIT = 100;
/** Entries that are looked at without a pause: the log only grows, and a search may have to see all of it. */
const PIECE = 5_000;
/** Sorts behind every time. */
const END_OF_TIME = "~";

function momentOf(field: "from" | "to", text: string | undefined, fallback: string): string {
  if (text === undefined) return fallback;
  const at = parseMoment(text);
  if (at !== null) return toIso(at);
  throw kernelFail("invalid_request", { field, reason: "must be a time like 2026-01-31T12:00:00Z" });
}

function presentEntry({ id, action, resource, details, ip_address, timestamp }: AuditRow): AuditEntry {
  const parsed = parseJson(details);
  return { id, action, resource, details: isRecord(parsed) ? parsed : {}, ip_address, timestamp };
}

/** Number below which the page begins. Throws `audit_cursor_unknown`. */
function startOf({ db }: Deps, cursor: string | undefined): number {
  if (cursor === undefined) return lastNumber(db) + 1;
  const found = findEntry(db, cursor);
  if (!found) throw fail("audit_cursor_unknown", { cursor });
  return found.seq;
}

/** The newest entries that fit first, going on after `cursor`. Throws `audit_cursor_unknown` and `invalid_request`. */
export async function readAuditLog({ db }: Deps, query: AuditQuery): Promise<AuditEntry[]> {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const filter = {
    action: query.action ?? "",
    from: momentOf("from", query.from, ""),
    to: momentOf("to", query.to, END_OF_TIME),
    text: query.q ?? "",
  };
  const rows: AuditRow[] = [];
  const start = startOf({ db }, query.cursor);
  for (let before = start; before > 1 && rows.length < limit; before -= PIECE) {
    if (before < start || filter.text !== "") await setImmediate();
    const span = { from_seq: before - PIECE, before_seq: before };
    rows.push(...listEntries(db, { ...filter, ...span }, limit - rows.length));
  }
  return rows.map(presentEntry);
}
