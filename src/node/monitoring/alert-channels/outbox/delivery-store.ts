import type { Store } from "../../../../kernel/db/store.ts";
import type { ChannelType, Delivery, NoticeKind } from "../contract.ts";

/** A row of `alert_deliveries`: one attempt. `at` in milliseconds, flags as 0 and 1. */
export interface DeliveryRow {
  seq: number;
  id: string;
  channel_id: string;
  channel_name: string;
  channel_type: ChannelType;
  attempt: number;
  status: Delivery["status"];
  code: number | null;
  latency_ms: number | null;
  provider_text: string;
  plain: number;
  test: number;
  at: number;
}

export type NewDelivery = Omit<DeliveryRow, "seq" | "status" | "code" | "latency_ms" | "provider_text">;
export type DeliveryEvent = { event_id: string; kind: NoticeKind };

/** Notes that an attempt begins, before anything leaves: what a crash interrupts is on record. */
export function insertDelivery(db: Store, row: NewDelivery, events: readonly DeliveryEvent[]): void {
  db.raw
    .query(
      `INSERT INTO alert_deliveries (id, channel_id, channel_name, channel_type, attempt, status, provider_text, plain, test, at)
       VALUES (?, ?, ?, ?, ?, 'sending', '', ?, ?, ?)`,
    )
    .run(row.id, row.channel_id, row.channel_name, row.channel_type, row.attempt, row.plain, row.test, row.at);
  db.raw
    .query(
      `INSERT INTO alert_delivery_events (delivery_id, position, event_id, kind)
       SELECT ?, key, value ->> 'event_id', value ->> 'kind' FROM json_each(?)`,
    )
    .run(row.id, JSON.stringify(events));
}

export function finishDelivery(
  db: Store,
  row: Pick<DeliveryRow, "id" | "status" | "code" | "latency_ms" | "provider_text">,
): void {
  db.raw
    .query("UPDATE alert_deliveries SET status = ?, code = ?, latency_ms = ?, provider_text = ? WHERE id = ?")
    .run(row.status, row.code, row.latency_ms, row.provider_text, row.id);
}

/** Closes attempts of a run that has ended. */
export function interruptDeliveries(db: Store, providerText: string): number {
  const sql = "UPDATE alert_deliveries SET status = 'interrupted', provider_text = ? WHERE status = 'sending'";
  return db.raw.query(sql).run(providerText).changes;
}

export function findDelivery(db: Store, id: string): DeliveryRow | null {
  return db.raw.query<DeliveryRow, [string]>("SELECT * FROM alert_deliveries WHERE id = ?").get(id);
}

/** Attempts of a channel before the number `before`, newest first. */
export function listChannelDeliveries(db: Store, channelId: string, before: number, limit: number): DeliveryRow[] {
  const sql = "SELECT * FROM alert_deliveries WHERE channel_id = ? AND seq < ? ORDER BY seq DESC LIMIT ?";
  return db.raw.query<DeliveryRow, [string, number, number]>(sql).all(channelId, before, limit);
}

/** Attempts that carried an event, newest first. */
export function listEventDeliveries(db: Store, eventId: string, limit: number): DeliveryRow[] {
  const sql = `SELECT * FROM alert_deliveries WHERE id IN
    (SELECT delivery_id FROM alert_delivery_events WHERE event_id = ?) ORDER BY seq DESC LIMIT ?`;
  return db.raw.query<DeliveryRow, [string, number]>(sql).all(eventId, limit);
}

/** What each of these attempts carried, in order. */
export function listDeliveryEvents(
  db: Store,
  deliveryIds: readonly string[],
): (DeliveryEvent & { delivery_id: string })[] {
  const sql = `SELECT delivery_id, event_id, kind FROM alert_delivery_events
    WHERE delivery_id IN (SELECT value FROM json_each(?)) ORDER BY delivery_id, position`;
  return db.raw.query<DeliveryEvent & { delivery_id: string }, [string]>(sql).all(JSON.stringify(deliveryIds));
}

/** Forgets attempts from before `before`, at most `limit` at once; returns how many. */
export function pruneDeliveries(db: Store, before: number, limit: number): number {
  const sql = "DELETE FROM alert_deliveries WHERE id IN (SELECT id FROM alert_deliveries WHERE at < ? LIMIT ?)";
  return db.raw.query(sql).run(before, limit).changes;
}
