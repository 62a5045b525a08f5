import { days } from "../../../lib/duration.ts";
import type { Actor } from "../../actor.ts";
import type { NodeContext } from "../../context.ts";
import { fail, type Inbox, type InboxQuery } from "./contract.ts";
import { countUnread, findInboxItem, listInbox, markAllRead, markRead } from "./inbox-store.ts";
import { cursorAfter, parseCursor, presentEvent, readerOf } from "./read.ts";

type Deps = Pick<NodeContext, "db" | "clock" | "eventHub">;
type Reading = Pick<Actor, "role" | "user_id">;

/** What nobody has looked at for so long is in the timeline only. */
const SHOWN_MS = days(30);
const DEFAULT_LIMIT = 30;

const sinceOf = ({ clock }: Pick<Deps, "clock">): number => clock.now() - SHOWN_MS;

/** The reader's notifications of the last 30 days. */
export function readInbox(ctx: Deps, actor: Reading, query: InboxQuery): Inbox {
  const reader = readerOf(actor);
  const limit = query.limit ?? DEFAULT_LIMIT;
  const rows = listInbox(ctx.db, reader, sinceOf(ctx), parseCursor(query.cursor), limit);
  return {
    items: rows.map((row) => ({ ...presentEvent(row), read: row.is_read === 1 })),
    unread: countUnread(ctx.db, reader, sinceOf(ctx)),
    next_cursor: cursorAfter(rows, limit),
  };
}

/** Tells the reader's other screens, and says how many are left. */
function afterReading(ctx: Deps, actor: Reading): { unread: number } {
  ctx.eventHub.publish("inbox.changed", { user_id: actor.user_id }, {});
  return { unread: countUnread(ctx.db, readerOf(actor), sinceOf(ctx)) };
}

/** Marks one as read. Throws `inbox_item_not_found`. */
export function readItem(ctx: Deps, actor: Reading, id: string): { unread: number } {
  const found = findInboxItem(ctx.db, readerOf(actor), id);
  if (!found) throw fail("inbox_item_not_found", { id });
  markRead(ctx.db, actor.user_id, found.seq);
  return afterReading(ctx, actor);
}

/** Marks everything as read. */
export function readEverything(ctx: Deps, actor: Reading): { unread: number } {
  ctx.db.tx(() => markAllRead(ctx.db, actor.user_id));
  return afterReading(ctx, actor);
}
