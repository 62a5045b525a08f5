import { setImmediate } from "node:timers/promises";
import { kernelFail } from "../../../kernel/http/errors.ts";
import { toIso } from "../../../lib/clock.ts";
import { parseMoment } from "../../../lib/moment.ts";
import type { Actor } from "../../actor.ts";
import type { NodeBase } from "../../base.ts";
import {
  CATEGORIES,
  type StatsQuery,
  type TimelineEntry,
  type TimelinePage,
  type TimelineQuery,
  type TimelineStats,
} from "./contract.ts";
import {
  countByCategory,
  type EventRow,
  type Filter,
  listEvents,
  newestOf,
  type Place,
  type Reader,
  type Span,
} from "./store.ts";

type Deps = Pick<NodeBase, "db">;
type Reading = Pick<Actor, "role" | "user_id">;

const DEFAULT_LIMIT = 50;
/** Entries that are looked at without a pause; takes some 5 ms. */
const PIECE = 5_000;
const RANK = { viewer: 0, member: 1, admin: 2 } as const;
/** Who reads, as the store asks. */
export const readerOf = ({ role, user_id }: Reading): Reader => ({ rank: RANK[role], user_id });

function momentOf(field: "from" | "to", text: string | undefined, fallback: number): number {
  const at = text === undefined ? fallback : parseMoment(text);
  if (at !== null) return at;
  throw kernelFail("invalid_request", { field, reason: "must be a time like 2026-01-31T12:00:00Z" });
}

function parseCategories(text: string | undefined): string[] | null {
  if (text === undefined) return null;
  const known: readonly string[] = CATEGORIES;
  const names = [...new Set(text.split(","))];
  if (names.every((name) => known.includes(name))) return names;
  throw kernelFail("invalid_request", { field: "category", reason: `must be of: ${known.join(", ")}` });
}

function parseSubject(text: string | undefined): Filter["subject"] {
  if (text === undefined) return null;
  const end = text.indexOf(":");
  return { kind: text.slice(0, end), id: text.slice(end + 1) };
}

function spanOf({ from, to }: StatsQuery): Span {
  return {
    since: { at: momentOf("from", from, 0), seq: 0 },
    until: { at: momentOf("to", to, Number.MAX_SAFE_INTEGER), seq: 0 },
  };
}

/** A span in pieces from the newest on, with other work between them: a search may have to look at every entry. */
async function* piecesOf(db: Deps["db"], span: Span): AsyncGenerator<Span> {
  for (let rest = span; ; ) {
    const piece = newestOf(db, rest, PIECE);
    yield piece;
    if (piece === rest) return;
    rest = { since: span.since, until: piece.since };
    await setImmediate();
  }
}

/** A cursor names the entry it goes on after by time and number. */
export function parseCursor(cursor: string | undefined): Place | null {
  const [at = 0, seq = 0] = cursor?.split(".").map(Number) ?? [];
  return cursor === undefined ? null : { at, seq };
}

/** The cursor that goes on after a full page; null after the last one. */
export function cursorAfter(rows: readonly EventRow[], limit: number): string | null {
  const last = rows.at(-1);
  return last && rows.length === limit ? `${last.at}.${last.seq}` : null;
}

/** The wire form of a row. */
export function presentEvent(row: EventRow): TimelineEntry {
  const { id, category, type, severity, title, count, subject_kind, subject_id, link, at } = row;
  const subject = subject_kind === "" ? null : { kind: subject_kind, id: subject_id };
  return { id, category, type, severity, title, count, subject, link, timestamp: toIso(at) };
}

/** A page of what the reader may see. Throws `invalid_request` for times and categories that are none. */
export async function readTimeline({ db }: Deps, actor: Reading, query: TimelineQuery): Promise<TimelinePage> {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const subject = parseSubject(query.subject);
  const filter = { categories: parseCategories(query.category), text: query.q ?? "", subject };
  const span = spanOf(query);
  const rows: EventRow[] = [];
  for await (const piece of piecesOf(db, { since: span.since, until: parseCursor(query.cursor) ?? span.until })) {
    rows.push(...listEvents(db, readerOf(actor), filter, piece, limit - rows.length));
    if (rows.length === limit) break;
  }
  return { items: rows.map(presentEvent), next_cursor: cursorAfter(rows, limit) };
}

/** How many entries of each category the reader may see. */
export async function readStats({ db }: Deps, actor: Reading, query: StatsQuery): Promise<TimelineStats> {
  const stats = { app: 0, backup: 0, alert: 0, update: 0, auth: 0, system: 0 };
  for await (const piece of piecesOf(db, spanOf(query))) {
    for (const { category, count } of countByCategory(db, readerOf(actor), query.q ?? "", piece))
      stats[category] += count;
  }
  return stats;
}
