import type { Store } from "../../../kernel/db/store.ts";
import type { Made } from "../../makers.ts";

export type OffReason = "failures" | "gone";

/** A row of `webhooks`; times in milliseconds but `created_at`. */
export interface WebhookRow {
  id: string;
  url: string;
  events: string;
  secret: string;
  previous_secret: string | null;
  previous_until: number | null;
  active: 0 | 1;
  off_reason: OffReason | null;
  off_at: number | null;
  failures: number;
  counted_at: number | null;
  created_at: string;
  /** Account that added it; null for those of before this was kept. */
  created_by: string | null;
}

export function insertWebhook(
  db: Store,
  row: Pick<WebhookRow, "id" | "url" | "events" | "secret" | "active" | "created_at" | "created_by">,
): void {
  db.raw
    .query(
      "INSERT INTO webhooks (id, url, events, secret, active, created_at, created_by) VALUES (?, ?, ?, ?, ?, ?, ?)",
    )
    .run(row.id, row.url, row.events, row.secret, row.active, row.created_at, row.created_by);
}

export function findWebhook(db: Store, id: string): WebhookRow | null {
  return db.raw.query<WebhookRow, [string]>("SELECT * FROM webhooks WHERE id = ?").get(id);
}

export function listWebhooks(db: Store): WebhookRow[] {
  return db.raw.query<WebhookRow, []>("SELECT * FROM webhooks ORDER BY created_at, id").all();
}

/** Active webhooks that subscribe to `type`. */
export function listSubscribed(db: Store, type: string): Made[] {
  const sql = `SELECT id, created_by FROM webhooks WHERE active = 1
    AND EXISTS (SELECT 1 FROM json_each(events) WHERE value IN ('*', ?)) ORDER BY created_at, id`;
  return db.raw.query<Made, [string]>(sql).all(type);
}

/** Writes everything of a webhook that can change. */
export function updateWebhook(db: Store, row: WebhookRow): void {
  db.raw
    .query(
      `UPDATE webhooks SET events = ?, secret = ?, previous_secret = ?, previous_until = ?, active = ?, off_reason = ?,
       off_at = ?, failures = ?, counted_at = ? WHERE id = ?`,
    )
    .run(
      row.events,
      row.secret,
      row.previous_secret,
      row.previous_until,
      row.active,
      row.off_reason,
      row.off_at,
      row.failures,
      row.counted_at,
      row.id,
    );
}

/** Makes an account answer for a webhook. */
export function updateMaker(db: Store, id: string, userId: string): void {
  db.raw.query("UPDATE webhooks SET created_by = ? WHERE id = ?").run(userId, id);
}

/** Removes a webhook with its deliveries; messages go with the next sweep. */
export function deleteWebhook(db: Store, id: string): void {
  db.raw.query("DELETE FROM webhooks WHERE id = ?").run(id);
}

/** Forgets replaced secrets whose time is over. */
export function deletePreviousSecrets(db: Store, now: number): void {
  const sql = "UPDATE webhooks SET previous_secret = NULL, previous_until = NULL WHERE previous_until <= ?";
  db.raw.query(sql).run(now);
}
