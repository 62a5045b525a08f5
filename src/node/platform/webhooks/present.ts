import { Value } from "@sinclair/typebox/value";
import { t } from "elysia";
import { toIso } from "../../../lib/clock.ts";
import { parseJson } from "../../../lib/json.ts";
import type { Attempt, Delivery, Webhook } from "./contract.ts";
import type { AttemptRow, DeliveryRow } from "./delivery-store.ts";
import type { WebhookRow } from "./store.ts";

const EventList = t.Array(t.String());

/** The event types of a stored webhook. */
export function eventsOf({ events }: Pick<WebhookRow, "events">): string[] {
  const list: unknown = parseJson(events);
  return Value.Check(EventList, list) ? list : [];
}

/** A webhook as it goes over the wire; its whole URL only for admins. */
export function presentWebhook(row: WebhookRow, isAdmin: boolean): Webhook {
  const { id, url, active, created_at } = row;
  const shown = isAdmin ? url : `${new URL(url).origin}/…`;
  return { id, url: shown, events: eventsOf(row), active: active === 1, created_at };
}

/** An attempt as it goes over the wire. */
export function presentAttempt({ number, at, status_code, duration_ms, error, reply }: AttemptRow): Attempt {
  return { number, at: toIso(at), status_code, duration_ms, error, reply };
}

/** A delivery with its last attempt. */
export function presentDelivery(row: DeliveryRow, last: AttemptRow | null): Delivery {
  return {
    id: row.id,
    event_id: row.message_id,
    type: row.type,
    status: row.status,
    attempts: row.attempts,
    created_at: toIso(row.created_at),
    delivered_at: row.delivered_at === null ? null : toIso(row.delivered_at),
    next_attempt_at: row.status === "pending" ? toIso(row.due_at) : null,
    last_attempt: last && presentAttempt(last),
  };
}
