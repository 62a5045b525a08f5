import { toIso } from "../../../lib/clock.ts";
import { days } from "../../../lib/duration.ts";
import { permissionsOf } from "../../access.ts";
import type { Actor } from "../../actor.ts";
import type { Reading } from "../../base.ts";
import type { SystemDb } from "../../data/tenant-db.ts";
import { fail, type NotificationList, type NotificationsQuery } from "./contract.ts";
import type { Needs, Own } from "./needs.ts";
import { mutedKinds } from "./preferences.ts";
import {
  countUnread,
  countUnreadOf,
  findPreferences,
  isToldTo,
  listNotifications,
  listPreferences,
  markAllRead,
  markRead,
  type Reader,
} from "./store.ts";

type Deps = Pick<Needs, "clock" | "ids">;

/** How long notifications are kept, and how many of a workspace. */
export const KEPT_MS = days(30);
export const KEPT = 2_000;
/** Greater than every id, `ntf_…`, by every rule of sorting. */
const END = "ntg";

const sinceOf = ({ clock }: Pick<Needs, "clock">): number => clock.now() - KEPT_MS;

async function readerOf({ db, member_id, role }: Actor): Promise<Reader> {
  const muted = mutedKinds((await findPreferences(db, member_id))?.preferences ?? null);
  return { member_id, permissions: permissionsOf(role), muted };
}

/** What the caller should know of, the newest first. */
export async function listOwn(deps: Deps, actor: Actor, query: NotificationsQuery): Promise<NotificationList> {
  const { limit, before = END } = query;
  const reader = await readerOf(actor);
  const since = sinceOf(deps);
  const unread = query.unread === "1" || query.unread === "true";
  const rows = await listNotifications(actor.db, reader, { since, before, unread, limit });
  return {
    unread_count: await countUnread(actor.db, reader, since),
    notifications: rows.map(({ permission: _, member_id: __, read_at, created_at, ...row }) => ({
      ...row,
      read_at: read_at === null ? null : toIso(read_at),
      created_at: toIso(created_at),
    })),
  };
}

/** How many the caller has not read. */
export async function countOwn(deps: Deps, actor: Actor): Promise<{ unread_count: number }> {
  return { unread_count: await countUnread(actor.db, await readerOf(actor), sinceOf(deps)) };
}

/** How many members of any workspaces have not read, by workspace. */
export async function countReadings(
  deps: Pick<Needs, "clock">,
  db: SystemDb,
  readings: readonly Reading[],
): Promise<Map<string, number>> {
  if (readings.length === 0) return new Map();
  const chosen = await listPreferences(db, readings);
  const counts = readings.map(async ({ tenant_id, member_id, role }) => {
    const reader = { member_id, permissions: permissionsOf(role), muted: mutedKinds(chosen.get(member_id) ?? null) };
    return [tenant_id, await countUnreadOf(db, tenant_id, reader, sinceOf(deps))] as const;
  });
  return new Map(await Promise.all(counts));
}

/** Marks one as read. Throws `notification_not_found`. */
export async function readOne(deps: Deps & Pick<Own, "changes">, actor: Actor, id: string) {
  const reader = await readerOf(actor);
  const since = sinceOf(deps);
  return actor.db.tx(async (tx) => {
    if (!(await isToldTo(tx, reader, since, id))) throw fail("notification_not_found", { id });
    await markRead(tx, actor.member_id, id, deps.clock.now());
    tx.afterCommit(() => deps.changes.changed(actor.tenant_id, actor.member_id));
    return { id, read: true as const, unread_count: await countUnread(tx, reader, since) };
  });
}

/** Marks everything as read that there is now. */
export async function readAll(deps: Deps & Pick<Own, "changes">, actor: Actor) {
  const reader = await readerOf(actor);
  const since = sinceOf(deps);
  return actor.db.tx(async (tx) => {
    const updated = await countUnread(tx, reader, since);
    // Made now, so greater than every one that is there.
    await markAllRead(tx, actor.member_id, deps.ids.next("ntf"), deps.clock.now());
    tx.afterCommit(() => deps.changes.changed(actor.tenant_id, actor.member_id));
    return { updated, unread_count: await countUnread(tx, reader, since) };
  });
}
