import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { Nullable, NullableText } from "../../../kernel/http/schema.ts";
import { admin, member, user } from "../../access.ts";

const closed = { additionalProperties: false };

const Events = t.Array(t.String({ minLength: 1, maxLength: 64 }), { minItems: 1, maxItems: 64 });

export const WebhookInput = t.Object(
  {
    url: t.String({
      minLength: 1,
      maxLength: 2048,
      // Parsers of addresses drop some of them in silence: another place than the one that is read here would be called.
      pattern: "^[^\\s\\x00-\\x1f\\x7f]+$",
      description: "must be an address without spaces and control characters",
    }),
    /** Event types, or `*` for all. */
    events: Events,
    active: t.Optional(t.Boolean()),
  },
  closed,
);
export type WebhookInput = Static<typeof WebhookInput>;

export const WebhookChange = t.Object({ events: t.Optional(Events), active: t.Optional(t.Boolean()) }, closed);
export type WebhookChange = Static<typeof WebhookChange>;

const webhookFields = {
  id: t.String(),
  /**
   * Only its origin for people who are no admins, but in the answer to whoever has just entered it: the path of such an
   * address is often its password.
   */
  url: t.String(),
  events: t.Array(t.String()),
  active: t.Boolean(),
  created_at: t.String(),
};
export const Webhook = t.Object(webhookFields);
export type Webhook = Static<typeof Webhook>;

/** The only answer that carries the secret. */
export const WebhookCreated = t.Object({ ...webhookFields, secret: t.String() });
export type WebhookCreated = Static<typeof WebhookCreated>;

/** The new secret; the one before signs as well until then. */
export const SecretRotated = t.Object({ id: t.String(), secret: t.String(), previous_until: t.String() });
export type SecretRotated = Static<typeof SecretRotated>;

/** One request that was made. */
export const Attempt = t.Object({
  number: t.Integer(),
  at: t.String(),
  /** Status of the reply; null when there was none. */
  status_code: Nullable(t.Integer()),
  duration_ms: t.Integer(),
  /** Why it does not count as delivered; null when it does. */
  error: NullableText,
  /** The first 4 KiB. */
  reply: NullableText,
});
export type Attempt = Static<typeof Attempt>;

export const DeliveryStatus = t.Union([t.Literal("pending"), t.Literal("delivered"), t.Literal("failed")]);
export type DeliveryStatus = Static<typeof DeliveryStatus>;

const deliveryFields = {
  id: t.String(),
  /** Id of the envelope; the same for every try and every webhook. */
  event_id: t.String(),
  type: t.String(),
  status: DeliveryStatus,
  attempts: t.Integer(),
  created_at: t.String(),
  delivered_at: NullableText,
  next_attempt_at: NullableText,
  last_attempt: Nullable(Attempt),
};
export const Delivery = t.Object(deliveryFields);
export type Delivery = Static<typeof Delivery>;

export const DeliveryDetail = t.Object({
  ...deliveryFields,
  /** The bytes that are signed and sent. */
  request_body: t.String(),
  tries: t.Array(Attempt),
});
export type DeliveryDetail = Static<typeof DeliveryDetail>;

/** How a webhook is doing. */
export const WebhookHealth = t.Object({
  id: t.String(),
  /** Failed attempts since the last success; ten switch it off. */
  failures: t.Integer(),
  /** Why it is off: too many failures, or the receiver said 410; null when it is on or a person switched it off. */
  off_reason: t.Union([t.Literal("failures"), t.Literal("gone"), t.Null()]),
  off_at: NullableText,
  pending: t.Integer(),
  last_delivery: Nullable(Delivery),
  /** The secret before the last rotation signs as well until then. */
  previous_secret_until: NullableText,
  /** Whether the caller may change, test or delete it: admins all, others their own. */
  may_change: t.Boolean(),
  /** Nothing is sent, because its maker may not have webhooks any more: an admin takes it over or deletes it. */
  paused: t.Boolean(),
});
export type WebhookHealth = Static<typeof WebhookHealth>;

/** Failed deliveries of events since then are sent again. */
export const ReplayInput = t.Object({ since: t.String({ format: "date-time" }) }, closed);
export type ReplayInput = Static<typeof ReplayInput>;
export const ReplayResult = t.Object({ count: t.Integer() });
export type ReplayResult = Static<typeof ReplayResult>;

export const EventType = t.Object({ type: t.String(), family: t.String(), trigger: t.String() });
export type EventType = Static<typeof EventType>;

export const WebhookParams = t.Object({ id: t.String({ maxLength: 64 }) });
export const DeliveryParams = t.Object({ id: t.String({ maxLength: 64 }), did: t.String({ maxLength: 64 }) });

export const DeliveryQuery = t.Object({
  limit: t.Optional(t.Integer({ minimum: 1, maximum: 200 })),
  /** Id of the last delivery of the page before. */
  cursor: t.Optional(t.String({ maxLength: 64 })),
  status: t.Optional(DeliveryStatus),
});
export type DeliveryQuery = Static<typeof DeliveryQuery>;

export const fail = defineErrors({
  webhook_not_found: [404, "There is no webhook {id}."],
  webhook_foreign: [
    403,
    "Only who added this webhook, or an admin, can change it. Ask an admin, or add one of your own.",
  ],
  webhook_paused: [
    409,
    "This webhook is paused, because its maker may not have webhooks any more. An admin can take it over or delete it.",
  ],
  webhook_delivery_not_found: [404, "There is no delivery {id} of this webhook. Deliveries are kept for 30 days."],
  webhook_url_refused: [400, "{why}"],
  webhook_event_unknown: [400, "{type} is not an event type. Use * or types from: {known}."],
  webhook_limit: [409, "A node can have {limit} webhooks. Delete one first."],
  webhook_own_limit: [
    409,
    "You can have {limit} webhooks. Delete one of yours first, or ask an admin to add this one.",
  ],
});

type By = { webhook_id: string; user_id: string; ip: string };

export type WebhookEvents = {
  "webhook.created": By & { host: string; events: string[] };
  "webhook.changed": By & { events: string[]; active: boolean };
  "webhook.deleted": By & { host: string };
  "webhook.secret_rotated": By;
  "webhook.taken_over": By & { host: string };
  /** Its maker may not have it any more. */
  "webhook.paused": { webhook_id: string; host: string };
  "webhook.disabled": { webhook_id: string; url: string; reason: "failures" | "gone" };
};

const access = member("settings");
/** A webhook goes on sending when the key that would have made it has ended. */
const byPeople = { keys: "never" } as const;
const params = WebhookParams;

export const webhookRoutes = defineRoutes({
  "POST /api/webhooks": { access: member("settings", byPeople), body: WebhookInput, out: WebhookCreated },
  "GET /api/webhooks": { access: user("settings"), out: t.Array(Webhook) },
  "GET /api/webhooks/health": { access, out: t.Array(WebhookHealth) },
  "GET /api/webhooks/event-types": { access: user("settings"), out: t.Array(EventType) },
  "PUT /api/webhooks/{id}": { access, params, body: WebhookChange, out: Webhook },
  "DELETE /api/webhooks/{id}": { access, params, out: t.Object({ message: t.String() }) },
  "POST /api/webhooks/{id}/take-over": { access: admin("settings", byPeople), params, out: Webhook },
  "POST /api/webhooks/{id}/rotate-secret": { access, params, out: SecretRotated },
  "POST /api/webhooks/{id}/test": { access, params, out: Delivery },
  "POST /api/webhooks/{id}/replay": { access, params, body: ReplayInput, out: ReplayResult },
  "GET /api/webhooks/{id}/deliveries": { access, params, query: DeliveryQuery, out: t.Array(Delivery) },
  "GET /api/webhooks/{id}/deliveries/{did}": { access, params: DeliveryParams, out: DeliveryDetail },
  "POST /api/webhooks/{id}/deliveries/{did}/retry": { access, params: DeliveryParams, out: Delivery },
});
export type WebhookApi = ApiOf<typeof webhookRoutes>;
