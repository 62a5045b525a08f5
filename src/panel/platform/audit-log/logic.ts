import { setImmediate } from "node:timers/promises";
import { tooManyRequests } from "../../../kernel/http/too-many-requests.ts";
import { toIso } from "../../../lib/clock.ts";
import { seconds } from "../../../lib/duration.ts";
import { isRecord, parseJson } from "../../../lib/json.ts";
import { createSharedPlaces } from "../../../lib/shared-places.ts";
import { type Actor, countedAs } from "../../actor.ts";
import { keptSince } from "../audit/index.ts";
import { AUDIT_DEFAULT, type AuditEntry, type AuditPage, type AuditQuery, fail } from "./contract.ts";
import type { Needs } from "./needs.ts";
import { type EntryFilter, type EntryRow, findEnd, findTime, listEntries } from "./store.ts";

/** Entries that are looked through in one go: a log may have hundreds of thousands, and others wait meanwhile. */
const IN_ONE_GO = 2_000;
/** Characters of details on one page, which ends earlier when there is more. */
const PAGE_LENGTH = 500_000;
/** Pages that are put together at a time. */
const PER_ACCOUNT = 4;
const PER_WORKSPACE = 8;
/** Whoever has most, or looks through a long log, makes room for somebody who reads none yet. */
const IN_ALL = { size: 20, fairMs: seconds(1) };

interface Place {
  /** Aborts when it went to somebody else. */
  lost: AbortSignal;
  give(): void;
}

/** Makes what reads the audit logs of workspaces. */
export function createReader(needs: Needs) {
  const places = createSharedPlaces(needs.clock, IN_ALL);

  /** Takes a place. Throws `too_many_requests`. */
  function takePlace(actor: Actor): Place {
    const place = places.take([
      { key: `account ${countedAs(actor)}`, most: PER_ACCOUNT },
      { key: `workspace ${actor.tenant_id}`, most: PER_WORKSPACE },
    ]);
    if (place.full === null) return place;
    throw tooManyRequests(1);
  }

  /** Looks through the log part by part, until there are enough that fit. Throws `too_many_requests` when the place is lost. */
  async function search({ db }: Actor, lost: AbortSignal, filter: EntryFilter, limit: number): Promise<EntryRow[]> {
    const found: EntryRow[] = [];
    for (let { after } = filter; ; await setImmediate()) {
      if (lost.aborted) throw tooManyRequests(1);
      const part = { ...filter, after };
      const end = await findEnd(db, part, IN_ONE_GO);
      found.push(...(await listEntries(db, needs.lists.names.all(), part, limit - found.length, end)));
      if (end === null || found.length >= limit) return found;
      after = end;
    }
  }

  /** What happened in the caller's workspace, newest first. Throws `audit_cursor_unknown`, `too_many_requests`. */
  return async (actor: Actor, query: AuditQuery): Promise<AuditPage> => {
    const { lost, give } = takePlace(actor);
    try {
      return await readPage(needs, actor, query, (filter, limit) => search(actor, lost, filter, limit));
    } finally {
      give();
    }
  };
}

async function readPage(
  needs: Needs,
  actor: Actor,
  query: AuditQuery,
  search: (filter: EntryFilter, limit: number) => Promise<EntryRow[]>,
): Promise<AuditPage> {
  const { db } = actor;
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
  const rows = await search(filter, limit + 1);
  const shown = firstPart(rows.slice(0, limit));
  return {
    entries: shown.map(present),
    next_cursor: rows.length > shown.length ? (shown.at(-1)?.id ?? null) : null,
    kept_since: toIso(keptSince(needs)),
  };
}

/** As many entries as one answer takes; the first one always. */
function firstPart(rows: readonly EntryRow[]): readonly EntryRow[] {
  let length = 0;
  const end = rows.findIndex(({ details }, index) => {
    length += details.length;
    return index > 0 && length > PAGE_LENGTH;
  });
  return end === -1 ? rows : rows.slice(0, end);
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
