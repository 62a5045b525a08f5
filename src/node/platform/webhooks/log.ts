import { toIso } from "../../../lib/clock.ts";
import {
  type Delivery,
  type DeliveryDetail,
  type DeliveryQuery,
  fail,
  type ReplayInput,
  type ReplayResult,
  type WebhookHealth,
} from "./contract.ts";
import * as deliveries from "./delivery-store.ts";
import { enqueueFor } from "./enqueue.ts";
import { type Asker, getOwnWebhook, getWebhook, mayChange } from "./manage.ts";
import type { Own } from "./own.ts";
import { isPaused } from "./paused.ts";
import { presentAttempt, presentDelivery } from "./present.ts";
import { listWebhooks, type WebhookRow } from "./store.ts";

type Deps = Pick<Own, "db" | "clock" | "ids" | "identity" | "deliverer" | "lists">;

const PAGE = 50;
const MAX_REPLAY = 1_000;
/** Sorts after every id. */
const AFTER_ALL = "~";

function present({ db }: Pick<Deps, "db">, row: deliveries.DeliveryRow): Delivery {
  return presentDelivery(row, deliveries.findAttempt(db, row.id, row.attempts));
}

function getDelivery({ db }: Pick<Deps, "db">, webhookId: string, id: string): deliveries.DeliveryRow {
  const row = deliveries.findDelivery(db, id);
  if (row?.webhook_id !== webhookId) throw fail("webhook_delivery_not_found", { id });
  return row;
}

/** Deliveries of a webhook, newest first. Throws `webhook_not_found`. */
export function listDeliveries(deps: Deps, webhookId: string, query: DeliveryQuery): Delivery[] {
  getWebhook(deps, webhookId);
  const page = {
    beforeId: query.cursor ?? AFTER_ALL,
    status: query.status ?? ("" as const),
    limit: query.limit ?? PAGE,
  };
  return deliveries.listDeliveries(deps.db, webhookId, page).map((row) => present(deps, row));
}

/** One delivery with what was sent and every attempt. Throws `webhook_not_found`, `webhook_delivery_not_found`. */
export function readDelivery(deps: Deps, webhookId: string, id: string): DeliveryDetail {
  getWebhook(deps, webhookId);
  const row = getDelivery(deps, webhookId, id);
  return {
    ...present(deps, row),
    request_body: deliveries.findBody(deps.db, row.message_id) ?? "",
    tries: deliveries.listAttempts(deps.db, id).map(presentAttempt),
  };
}

/** The webhook, for somebody who wants something sent there. Throws `webhook_not_found`, `webhook_foreign`, `webhook_paused`. */
function getSending(deps: Deps, actor: Asker, id: string): void {
  if (isPaused(deps, getOwnWebhook(deps, actor, id))) throw fail("webhook_paused");
}

/**
 * Sends a delivery now, also while the webhook is off. That is one attempt more: what still waits keeps all its automatic
 * ones, at their times. Throws as `getSending` does, and `webhook_delivery_not_found`.
 */
export function retryDelivery(deps: Deps, actor: Asker, webhookId: string, id: string): Delivery {
  const { db, clock, deliverer } = deps;
  return db.tx(() => {
    getSending(deps, actor, webhookId);
    const row = getDelivery(deps, webhookId, id);
    const resume_at = row.status === "pending" && row.manual === 0 ? row.due_at : row.resume_at;
    const next: deliveries.DeliveryRow = { ...row, status: "pending", manual: 1, resume_at, due_at: clock.now() };
    deliveries.updateDelivery(db, next);
    db.afterCommit(deliverer.wake);
    return present(deps, next);
  });
}

/** Sends what failed since then once more each, also while the webhook is off; at most 1,000. Throws as `getSending` does. */
export function replayFailed(deps: Deps, actor: Asker, webhookId: string, { since }: ReplayInput): ReplayResult {
  const { db, clock, deliverer } = deps;
  return db.tx(() => {
    getSending(deps, actor, webhookId);
    const count = deliveries.reopenFailed(db, webhookId, Date.parse(since), clock.now(), MAX_REPLAY);
    db.afterCommit(deliverer.wake);
    return { count };
  });
}

/** Sends `webhook.test`, once, also while the webhook is off. Throws as `getSending` does. */
export function testWebhook(deps: Deps, actor: Asker, webhookId: string): Delivery {
  const { db, deliverer } = deps;
  return db.tx(() => {
    getSending(deps, actor, webhookId);
    const data = { webhook_id: webhookId, message: "This is a test. Nothing has happened." };
    const [id = ""] = enqueueFor(deps, [webhookId], { type: "webhook.test", data }, { isManual: true });
    db.afterCommit(deliverer.wake);
    return present(deps, getDelivery(deps, webhookId, id));
  });
}

function healthOf(deps: Deps, actor: Asker, row: WebhookRow): WebhookHealth {
  const { db, clock } = deps;
  const [last] = deliveries.listDeliveries(db, row.id, { beforeId: AFTER_ALL, status: "", limit: 1 });
  const isOverlap = row.previous_until !== null && row.previous_until > clock.now();
  return {
    id: row.id,
    failures: row.failures,
    off_reason: row.off_reason,
    off_at: row.off_at === null ? null : toIso(row.off_at),
    pending: deliveries.countPending(db, row.id),
    last_delivery: last ? present(deps, last) : null,
    previous_secret_until: isOverlap ? toIso(row.previous_until ?? 0) : null,
    may_change: mayChange(actor, row),
    paused: isPaused(deps, row),
  };
}

/** How every webhook is doing, and whether `actor` may change it. */
export function readHealth(deps: Deps, actor: Asker): WebhookHealth[] {
  return listWebhooks(deps.db).map((row) => healthOf(deps, actor, row));
}
