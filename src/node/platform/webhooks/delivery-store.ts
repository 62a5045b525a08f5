import type { Store } from "../../../kernel/db/store.ts";
import type { Made } from "../../makers.ts";
import type { DeliveryStatus } from "./contract.ts";

/** A row of `webhook_deliveries` with the type of its event; times in milliseconds. */
export interface DeliveryRow {
  id: string;
  webhook_id: string;
  message_id: string;
  type: string;
  status: DeliveryStatus;
  attempts: number;
  manual: 0 | 1;
  /** Attempts that a person asked for, out of all. */
  manual_tries: number;
  /** When the automatic attempt is due that a person's one came before; null when there is none. */
  resume_at: number | null;
  due_at: number;
  created_at: number;
  delivered_at: number | null;
}

/** A row of `webhook_attempts`. */
export interface AttemptRow {
  delivery_id: string;
  number: number;
  at: number;
  status_code: number | null;
  duration_ms: number;
  error: string | null;
  reply: string | null;
}

const WITH_TYPE = `SELECT d.*, m.type FROM webhook_deliveries d JOIN webhook_messages m ON m.id = d.message_id`;

export function insertMessage(db: Store, row: { id: string; type: string; body: string }): void {
  db.raw.query("INSERT INTO webhook_messages (id, type, body) VALUES (?, ?, ?)").run(row.id, row.type, row.body);
}

export function insertDelivery(
  db: Store,
  row: Pick<DeliveryRow, "id" | "webhook_id" | "message_id" | "manual" | "due_at" | "created_at">,
): void {
  db.raw
    .query(
      `INSERT INTO webhook_deliveries (id, webhook_id, message_id, status, manual, due_at, created_at)
       VALUES (?, ?, ?, 'pending', ?, ?, ?)`,
    )
    .run(row.id, row.webhook_id, row.message_id, row.manual, row.due_at, row.created_at);
}

export function findBody(db: Store, messageId: string): string | null {
  const sql = "SELECT body FROM webhook_messages WHERE id = ?";
  return db.raw.query<{ body: string }, [string]>(sql).get(messageId)?.body ?? null;
}

export function findDelivery(db: Store, id: string): DeliveryRow | null {
  return db.raw.query<DeliveryRow, [string]>(`${WITH_TYPE} WHERE d.id = ?`).get(id);
}

/** Deliveries of a webhook before `beforeId`, newest first, all or of one status. */
export function listDeliveries(
  db: Store,
  webhookId: string,
  { beforeId, status, limit }: { beforeId: string; status: DeliveryStatus | ""; limit: number },
): DeliveryRow[] {
  const sql = `${WITH_TYPE} WHERE d.webhook_id = ?1 AND d.id < ?2 AND ?3 IN ('', d.status) ORDER BY d.id DESC LIMIT ?4`;
  return db.raw.query<DeliveryRow, [string, string, string, number]>(sql).all(webhookId, beforeId, status, limit);
}

/** Webhooks with a delivery that can be sent now. */
export function listDueWebhooks(db: Store, now: number): Made[] {
  const sql = `SELECT id, created_by FROM webhooks w WHERE EXISTS (SELECT 1 FROM webhook_deliveries d
    WHERE d.webhook_id = w.id AND d.status = 'pending' AND d.due_at <= ? AND (w.active = 1 OR d.manual = 1))`;
  return db.raw.query<Made, [number]>(sql).all(now);
}

/** Deliveries of one webhook that can be sent now, the one that has waited longest first. */
export function listDue(db: Store, webhookId: string, now: number, limit: number): DeliveryRow[] {
  const sql = `${WITH_TYPE} JOIN webhooks w ON w.id = d.webhook_id
    WHERE d.webhook_id = ? AND d.status = 'pending' AND d.due_at <= ? AND (w.active = 1 OR d.manual = 1)
    ORDER BY d.due_at, d.id LIMIT ?`;
  return db.raw.query<DeliveryRow, [string, number, number]>(sql).all(webhookId, now, limit);
}

/** When the next delivery after `now` is due; null when none waits. */
export function findNextDue(db: Store, now: number): number | null {
  const sql = `SELECT MIN((SELECT due_at FROM webhook_deliveries d
    WHERE d.webhook_id = w.id AND d.status = 'pending' AND d.due_at > ? ORDER BY due_at LIMIT 1)) AS due
    FROM webhooks w WHERE w.active = 1`;
  return db.raw.query<{ due: number | null }, [number]>(sql).get(now)?.due ?? null;
}

/** How many deliveries of a webhook are still to be sent. */
export function countPending(db: Store, webhookId: string): number {
  const sql = "SELECT COUNT(*) AS count FROM webhook_deliveries WHERE webhook_id = ? AND status = 'pending'";
  return db.raw.query<{ count: number }, [string]>(sql).get(webhookId)?.count ?? 0;
}

export function updateDelivery(db: Store, row: DeliveryRow): void {
  db.raw
    .query(
      `UPDATE webhook_deliveries
       SET status = ?, attempts = ?, manual = ?, manual_tries = ?, resume_at = ?, due_at = ?, delivered_at = ? WHERE id = ?`,
    )
    .run(row.status, row.attempts, row.manual, row.manual_tries, row.resume_at, row.due_at, row.delivered_at, row.id);
}

/** Makes up to `limit` failed deliveries of a webhook since `since` due for one more attempt each; returns how many. */
export function reopenFailed(db: Store, webhookId: string, since: number, now: number, limit: number): number {
  const sql = `UPDATE webhook_deliveries SET status = 'pending', manual = 1, due_at = ? WHERE id IN (
    SELECT id FROM webhook_deliveries WHERE webhook_id = ? AND status = 'failed' AND created_at >= ? ORDER BY id LIMIT ?)`;
  return db.raw.query(sql).run(now, webhookId, since, limit).changes;
}

/** What waits for longer than any rule makes it wait was planned by a clock that was wrong; it is due now. */
export function pullBack(db: Store, now: number, longestMs: number): void {
  const sql = "UPDATE webhook_deliveries SET due_at = ?1 WHERE status = 'pending' AND due_at > ?1 + ?2";
  db.raw.query(sql).run(now, longestMs);
}

export function insertAttempt(db: Store, row: AttemptRow): void {
  db.raw
    .query(
      `INSERT INTO webhook_attempts (delivery_id, number, at, status_code, duration_ms, error, reply)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(row.delivery_id, row.number, row.at, row.status_code, row.duration_ms, row.error, row.reply);
}

export function listAttempts(db: Store, deliveryId: string): AttemptRow[] {
  const sql = "SELECT * FROM webhook_attempts WHERE delivery_id = ? ORDER BY number";
  return db.raw.query<AttemptRow, [string]>(sql).all(deliveryId);
}

export function findAttempt(db: Store, deliveryId: string, number: number): AttemptRow | null {
  const sql = "SELECT * FROM webhook_attempts WHERE delivery_id = ? AND number = ?";
  return db.raw.query<AttemptRow, [string, number]>(sql).get(deliveryId, number);
}

/** Deletes up to `limit` deliveries from before `before` that nothing is planned for, or whose webhook rests; returns how many. */
export function deleteOldDeliveries(db: Store, before: number, resting: readonly string[], limit: number): number {
  const sql = `DELETE FROM webhook_deliveries WHERE id IN (SELECT d.id FROM webhook_deliveries d
    JOIN webhooks w ON w.id = d.webhook_id
    WHERE d.created_at < ? AND (d.status <> 'pending' OR w.active = 0 OR w.id IN (SELECT value FROM json_each(?)))
    LIMIT ?)`;
  return db.raw.query(sql).run(before, JSON.stringify(resting), limit).changes;
}

/** Deletes up to `limit` messages that no delivery needs any more; returns how many. */
export function deleteLooseMessages(db: Store, limit: number): number {
  const sql = `DELETE FROM webhook_messages WHERE id IN (SELECT id FROM webhook_messages m
    WHERE NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.message_id = m.id) LIMIT ?)`;
  return db.raw.query(sql).run(limit).changes;
}
