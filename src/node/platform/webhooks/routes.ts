import { Elysia, t } from "elysia";
import { admin, user } from "../../access.ts";
import type { NodeRoutes } from "../../context.ts";
import {
  Delivery,
  DeliveryDetail,
  DeliveryParams,
  DeliveryQuery,
  EventType,
  ReplayInput,
  ReplayResult,
  SecretRotated,
  Webhook,
  WebhookChange,
  WebhookCreated,
  WebhookHealth,
  WebhookInput,
  WebhookParams,
} from "./contract.ts";
import { listEventTypes } from "./event-types.ts";
import { listDeliveries, readDelivery, readHealth, replayFailed, retryDelivery, testWebhook } from "./log.ts";
import { changeWebhook, createWebhook, deleteWebhook, listWebhooks, rotateSecret } from "./manage.ts";

const access = admin("settings");
const params = WebhookParams;

export const webhookRoutes: NodeRoutes = (ctx) =>
  new Elysia({ prefix: "/api/webhooks" })
    .use(ctx.guard)
    .post("", ({ actor: { user_id }, ip, body }) => createWebhook(ctx, { user_id, ip }, body), {
      access,
      body: WebhookInput,
      response: WebhookCreated,
    })
    .get("", ({ actor }) => listWebhooks(ctx, actor.role === "admin"), {
      access: user("settings"),
      response: t.Array(Webhook),
    })
    .get("/health", () => readHealth(ctx), { access, response: t.Array(WebhookHealth) })
    .get("/event-types", () => listEventTypes(ctx.meanings), { access: user("settings"), response: t.Array(EventType) })
    .put("/:id", ({ actor: { user_id }, ip, params: { id }, body }) => changeWebhook(ctx, { user_id, ip }, id, body), {
      access,
      params,
      body: WebhookChange,
      response: Webhook,
    })
    .delete(
      "/:id",
      ({ actor: { user_id }, ip, params: { id } }) => {
        deleteWebhook(ctx, { user_id, ip }, id);
        return { message: "The webhook is deleted." };
      },
      { access, params, response: t.Object({ message: t.String() }) },
    )
    .post(
      "/:id/rotate-secret",
      ({ actor: { user_id }, ip, params: { id } }) => rotateSecret(ctx, { user_id, ip }, id),
      {
        access,
        params,
        response: SecretRotated,
      },
    )
    .post("/:id/test", ({ params: { id } }) => testWebhook(ctx, id), { access, params, response: Delivery })
    .post("/:id/replay", ({ params: { id }, body }) => replayFailed(ctx, id, body), {
      access,
      params,
      body: ReplayInput,
      response: ReplayResult,
    })
    .get("/:id/deliveries", ({ params: { id }, query }) => listDeliveries(ctx, id, query), {
      access,
      params,
      query: DeliveryQuery,
      response: t.Array(Delivery),
    })
    .get("/:id/deliveries/:did", ({ params: { id, did } }) => readDelivery(ctx, id, did), {
      access,
      params: DeliveryParams,
      response: DeliveryDetail,
    })
    .post("/:id/deliveries/:did/retry", ({ params: { id, did } }) => retryDelivery(ctx, id, did), {
      access,
      params: DeliveryParams,
      response: Delivery,
    });
