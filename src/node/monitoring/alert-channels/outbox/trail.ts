import { toIso } from "../../../../lib/clock.ts";
import { getChannelRow } from "../channels/channels.ts";
import { type Delivery, type DeliveryQuery, fail } from "../contract.ts";
import type { Needs } from "../needs.ts";
import * as store from "./delivery-store.ts";

type Deps = Pick<Needs, "db">;

const DEFAULT_LIMIT = 50;
const MAX_EVENT_ROWS = 200;

function present({ db }: Deps, rows: readonly store.DeliveryRow[]): Delivery[] {
  const events = Map.groupBy(
    store.listDeliveryEvents(
      db,
      rows.map(({ id }) => id),
    ),
    ({ delivery_id }) => delivery_id,
  );
  return rows.map(({ seq: _, plain, test, at, ...row }) => ({
    ...row,
    events: (events.get(row.id) ?? []).map(({ event_id, kind }) => ({ event_id, kind })),
    plain: plain === 1,
    test: test === 1,
    at: toIso(at),
  }));
}

/** Attempts of a channel, newest first. Throws `channel_not_found`, `delivery_cursor_unknown`. */
export function listChannelTrail(deps: Deps, id: string, { limit, cursor }: DeliveryQuery): Delivery[] {
  const channel = getChannelRow(deps, id);
  const from = cursor === undefined ? null : store.findDelivery(deps.db, cursor);
  if (cursor !== undefined && !from) throw fail("delivery_cursor_unknown", { cursor });
  return present(
    deps,
    store.listChannelDeliveries(deps.db, channel.id, from?.seq ?? Number.MAX_SAFE_INTEGER, limit ?? DEFAULT_LIMIT),
  );
}

/** Attempts that carried an event, whatever the channel, newest first; at most 200. */
export function listEventTrail(deps: Deps, eventId: string): Delivery[] {
  return present(deps, store.listEventDeliveries(deps.db, eventId, MAX_EVENT_ROWS));
}
