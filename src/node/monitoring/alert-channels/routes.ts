import { Elysia, t } from "elysia";
import { admin, user } from "../../access.ts";
import type { NodeRoutes } from "../../context.ts";
import { changeChannel, createChannel, deleteChannel, getChannel, listChannels } from "./channels/channels.ts";
import { testChannel } from "./channels/test-channel.ts";
import {
  Channel,
  ChannelChange,
  ChannelInput,
  ChannelParams,
  Delivery,
  DeliveryQuery,
  EventDeliveryQuery,
  Preview,
  PreviewInput,
  Template,
  TemplateInput,
  TemplateList,
  TestResult,
} from "./contract.ts";
import { listChannelTrail, listEventTrail } from "./outbox/trail.ts";
import { previewTemplate } from "./texts/preview.ts";
import { listTemplates, writeTemplate } from "./texts/templates.ts";

const READ = user("alerts");
const CHANGE = admin("alerts");

export const alertChannelRoutes: NodeRoutes = (ctx) =>
  new Elysia({ prefix: "/api/alerting" })
    .use(ctx.guard)
    .get("/channels", ({ actor }) => listChannels(ctx, actor.role === "admin"), {
      access: READ,
      response: t.Array(Channel),
    })
    .post("/channels", ({ actor, body, ip }) => createChannel(ctx, { user_id: actor.user_id, ip }, body), {
      access: CHANGE,
      body: ChannelInput,
      response: Channel,
    })
    .get("/channels/:id", ({ actor, params }) => getChannel(ctx, params.id, actor.role === "admin"), {
      access: READ,
      params: ChannelParams,
      response: Channel,
    })
    .put(
      "/channels/:id",
      ({ actor, params, body, ip }) => changeChannel(ctx, { user_id: actor.user_id, ip }, params.id, body),
      { access: CHANGE, params: ChannelParams, body: ChannelChange, response: Channel },
    )
    .delete(
      "/channels/:id",
      ({ actor, params, ip }) => {
        deleteChannel(ctx, { user_id: actor.user_id, ip }, params.id);
        return { message: "The channel is deleted. What waited for it is dropped." };
      },
      { access: CHANGE, params: ChannelParams, response: t.Object({ message: t.String() }) },
    )
    .post(
      "/channels/:id/test",
      ({ actor, params, ip }) => testChannel(ctx, { user_id: actor.user_id, ip }, params.id),
      { access: CHANGE, params: ChannelParams, response: TestResult },
    )
    .get("/channels/:id/deliveries", ({ params, query }) => listChannelTrail(ctx, params.id, query), {
      access: READ,
      params: ChannelParams,
      query: DeliveryQuery,
      response: t.Array(Delivery),
    })
    .get("/deliveries", ({ query }) => listEventTrail(ctx, query.event_id), {
      access: READ,
      query: EventDeliveryQuery,
      response: t.Array(Delivery),
    })
    .get("/templates", () => listTemplates(ctx), { access: READ, response: TemplateList })
    .put("/templates", ({ actor, body, ip }) => writeTemplate(ctx, { user_id: actor.user_id, ip }, body), {
      access: CHANGE,
      body: TemplateInput,
      response: Template,
    })
    .post("/templates/preview", ({ body }) => previewTemplate(ctx, body), {
      access: READ,
      body: PreviewInput,
      response: Preview,
    });
