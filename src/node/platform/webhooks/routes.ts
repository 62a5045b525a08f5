import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { bindRoutes } from "../../route.ts";
import { webhookRoutes } from "./contract.ts";
import { listEventTypes } from "./event-types.ts";
import { listDeliveries, readDelivery, readHealth, replayFailed, retryDelivery, testWebhook } from "./log.ts";
import { changeWebhook, createWebhook, deleteWebhook, listWebhooks, rotateSecret, takeOverWebhook } from "./manage.ts";
import type { Own } from "./own.ts";

/** What answers the routes of webhooks. */
export const bindWebhookRoutes = (own: Own): BoundRoutes =>
  bindRoutes(webhookRoutes, {
    "POST /api/webhooks": ({ actor, ip, body }) => createWebhook(own, { actor, ip }, body),
    "GET /api/webhooks": ({ actor }) => listWebhooks(own, actor.role === "admin"),
    "GET /api/webhooks/health": ({ actor }) => readHealth(own, actor),
    "GET /api/webhooks/event-types": () => listEventTypes(own.meanings),
    "PUT /api/webhooks/{id}": ({ actor, ip, params: { id }, body }) => changeWebhook(own, { actor, ip }, id, body),
    "DELETE /api/webhooks/{id}": ({ actor, ip, params: { id } }) => {
      deleteWebhook(own, { actor, ip }, id);
      return { message: "The webhook is deleted." };
    },
    "POST /api/webhooks/{id}/rotate-secret": ({ actor, ip, params: { id } }) => rotateSecret(own, { actor, ip }, id),
    "POST /api/webhooks/{id}/take-over": ({ actor, ip, params: { id } }) => takeOverWebhook(own, { actor, ip }, id),
    "POST /api/webhooks/{id}/test": ({ actor, params: { id } }) => testWebhook(own, actor, id),
    "POST /api/webhooks/{id}/replay": ({ actor, params: { id }, body }) => replayFailed(own, actor, id, body),
    "GET /api/webhooks/{id}/deliveries": ({ params: { id }, query }) => listDeliveries(own, id, query),
    "GET /api/webhooks/{id}/deliveries/{did}": ({ params: { id, did } }) => readDelivery(own, id, did),
    "POST /api/webhooks/{id}/deliveries/{did}/retry": ({ actor, params: { id, did } }) =>
      retryDelivery(own, actor, id, did),
  });
