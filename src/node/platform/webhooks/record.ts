import { toIso } from "../../../lib/clock.ts";
import { type DeliveryRow, findDelivery, insertAttempt, updateDelivery } from "./delivery-store.ts";
import { type EnqueueDeps, enqueue } from "./enqueue.ts";
import { alarmType } from "./event-types.ts";
import type { Needs } from "./needs.ts";
import { judge, type Outcome } from "./outcome.ts";
import { findWebhook, type OffReason, updateWebhook, type WebhookRow } from "./store.ts";

type Deps = EnqueueDeps & Pick<Needs, "bus" | "log" | "meanings">;

/** An attempt that has ended and is not on disk yet. */
export interface Done {
  delivery: DeliveryRow;
  outcome: Outcome;
  /** When it ended. */
  at: number;
}

const WHY_OFF: Record<OffReason, string> = {
  failures: "it failed ten times in a row",
  gone: "its receiver answered 410: gone for good",
};

/** Tells the other webhooks, as an alarm, that this one was switched off. Its path stays at home: it may be a password. */
function announce(deps: Deps, webhook: WebhookRow, reason: OffReason, at: number): void {
  const { host } = new URL(webhook.url);
  deps.log.warn("webhook switched off", { webhook_id: webhook.id, host, reason });
  deps.bus.emit("webhook.disabled", { webhook_id: webhook.id, url: webhook.url, reason });
  const type = alarmType(deps.meanings);
  if (type === null) return;
  enqueue(deps, {
    type,
    data: {
      event_id: deps.ids.next("alert"),
      type: "webhook_disabled",
      rule_id: null,
      rule_name: "Webhook switched off",
      severity: "warning",
      entity: `webhook:${webhook.id}`,
      entity_name: host,
      metric: null,
      value: webhook.failures,
      threshold: null,
      unit: null,
      message: `The webhook to ${host} was switched off because ${WHY_OFF[reason]}.`,
      started_at: toIso(at),
      resolved_at: null,
      peak: null,
      duration_seconds: null,
      webhook_id: webhook.id,
    },
  });
}

/** Writes attempts down, in the transaction of the caller. `random` gives numbers in [0, 1). */
export function record(deps: Deps, done: readonly Done[], random: () => number): void {
  const { db } = deps;
  for (const { delivery: sent, outcome, at } of done) {
    // Read again: a person may have deleted or changed it meanwhile.
    const delivery = findDelivery(db, sent.id);
    const webhook = delivery && findWebhook(db, delivery.webhook_id);
    if (!delivery || !webhook) continue;
    const { status_code, duration_ms, error, reply } = outcome;
    const next = judge({ ...delivery, manual: sent.manual }, webhook, outcome, at, random());
    const { attempts: number } = next.delivery;
    insertAttempt(db, { delivery_id: delivery.id, number, at, status_code, duration_ms, error, reply });
    updateDelivery(db, { ...delivery, ...next.delivery });
    const after = { ...webhook, ...next.webhook };
    updateWebhook(db, after);
    if (webhook.active === 1 && after.active === 0 && after.off_reason) announce(deps, after, after.off_reason, at);
  }
}
