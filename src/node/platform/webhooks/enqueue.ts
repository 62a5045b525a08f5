import { toIso } from "../../../lib/clock.ts";
import { insertDelivery, insertMessage } from "./delivery-store.ts";
import type { Needs } from "./needs.ts";
import { isPaused } from "./paused.ts";
import { listSubscribed } from "./store.ts";

export type EnqueueDeps = Pick<Needs, "db" | "clock" | "ids" | "identity" | "lists">;

/** What is sent, before it has an id and a time. */
export interface Message {
  type: string;
  data: object;
}

/**
 * Writes an event down for these webhooks, due now; returns the ids of the deliveries. The body is made here, once, in the
 * transaction of the caller.
 */
export function enqueueFor(
  deps: EnqueueDeps,
  webhookIds: readonly string[],
  { type, data }: Message,
  { isManual = false }: { isManual?: boolean } = {},
): string[] {
  if (webhookIds.length === 0) return [];
  const { db, clock, ids, identity } = deps;
  const now = clock.now();
  const id = ids.next("evt");
  const envelope = { id, type, timestamp: toIso(now), instance_id: identity.id(), data };
  return db.tx(() => {
    insertMessage(db, { id, type, body: JSON.stringify(envelope) });
    return webhookIds.map((webhook_id) => {
      const delivery = ids.next("dlv");
      const manual = isManual ? 1 : 0;
      insertDelivery(db, { id: delivery, webhook_id, message_id: id, manual, due_at: now, created_at: now });
      return delivery;
    });
  });
}

/** Writes an event down for every webhook that is to hear of its type now; returns how many those are. */
export function enqueue(deps: EnqueueDeps, message: Message): number {
  const subscribed = listSubscribed(deps.db, message.type).flatMap((webhook) =>
    isPaused(deps, webhook) ? [] : [webhook.id],
  );
  return enqueueFor(deps, subscribed, message).length;
}
