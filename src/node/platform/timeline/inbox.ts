import { days } from "../../../lib/duration.ts";
import type { Actor } from "../../actor.ts";
import { fail, type Inbox, type InboxQuery } from "./contract.ts";
import { countUnread, findInboxItem, listInbox, markAllRead, markRead } from "./inbox-store.ts";
import type { Needs } from "./needs.ts";
import { cursorAfter, parseCursor, presentEvent, readerOf } from "./read.ts";

type Deps = Pick<Needs, "db" | "clock" | "hub">;
type Reading = Pick<Actor, "role" | "user_id">;

/** What nobody has looked at for so long is in the timeline only. */
const SHOWN_MS = days(30);
const DEFAULT_LIMIT = 30;

const sinceOf = ({ clock }: Pick<Deps, "clock">): number => clock.now() - SHOWN_MS;

/** The reader's notifications of the last 30 days. */
export function readInbox(needs: Deps, actor: Reading, query: InboxQuery): Inbox {
  const reader = readerOf(actor);
  const limit = query.limit ?? DEFAULT_LIMIT;
  const rows = listInbox(needs.db, reader, sinceOf(needs), parseCursor(query.cursor), limit);
  return {
    items: rows.map((row) => ({ ...presentEvent(row), read: row.is_read === 1 })),
    unread: countUnread(needs.db, reader, sinceOf(needs)),
    next_cursor: cursorAfter(rows, limit),
  };
}

/** Tells the reader's other screens, and says how many are left. */
function afterReading(needs: Deps, actor: Reading): { unread: number } {
  needs.hub.publish("inbox.changed", { user_id: actor.user_id }, {});
  return { unread: countUnread(needs.db, readerOf(actor), sinceOf(needs)) };
}

/** Marks one as read. Throws `inbox_item_not_found`. */
export function readItem(needs: Deps, actor: Reading, id: string): { unread: number } {
  const found = findInboxItem(needs.db, readerOf(actor), id);
  if (!found) throw fail("inbox_item_not_found", { id });
  markRead(needs.db, actor.user_id, found.seq);
  return afterReading(needs, actor);
}

/** Marks everything as read. */
export function readEverything(needs: Deps, actor: Reading): { unread: number } {
  needs.db.tx(() => markAllRead(needs.db, actor.user_id));
  return afterReading(needs, actor);
}
