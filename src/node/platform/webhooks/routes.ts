import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { bindRoutes } from "../../route.ts";
import { webhookRoutes } from "./contract.ts";
import { listEventTypes } from "./event-types.ts";
import { listDeliveries, readDelivery, readHealth, replayFailed, retryDelivery, testWebhook } from "./log.ts";
import { changeWebhook, createWebhook, deleteWebhook, listWebhooks, rotateSecret } from "./manage.ts";
import type { Own } from "./own.ts";

/** What answers the routes of webhooks. */
export const bindWebhookRoutes = (own: Own): BoundRoutes =>
  bindRoutes(webhookRoutes, {
    "POST /api/webhooks": ({ actor: { user_id }, ip, body }) => createWebhook(own, { user_id, ip }, body),
    "GET /api/webhooks": ({ actor }) => listWebhooks(own, actor.role === "admin"),
    "GET /api/webhooks/health": () => readHealth(own),
    "GET /api/webhooks/event-types": () => listEventTypes(own.meanings),
    "PUT /api/webhooks/{id}": ({ actor: { user_id, role }, ip, params: { id }, body }) =>
      changeWebhook(own, { user_id, ip }, id, body, role === "admin"),
    "DELETE /api/webhooks/{id}": ({ actor: { user_id }, ip, params: { id } }) => {
      deleteWebhook(own, { user_id, ip }, id);
      return { message: "The webhook is deleted." };
    },
    "POST /api/webhooks/{id}/rotate-secret": ({ actor: { user_id }, ip, params: { id } }) =>
      rotateSecret(own, { user_id, ip }, id),
    "POST /api/webhooks/{id}/test": ({ params: { id } }) => testWebhook(own, id),
    "POST /api/webhooks/{id}/replay": ({ params: { id }, body }) => replayFailed(own, id, body),
    "GET /api/webhooks/{id}/deliveries": ({ params: { id }, query }) => listDeliveries(own, id, query),
    "GET /api/webhooks/{id}/deliveries/{did}": ({ params: { id, did } }) => readDelivery(own, id, did),
    "POST /api/webhooks/{id}/deliveries/{did}/retry": ({ params: { id, did } }) => retryDelivery(own, id, did),
  });
