import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { sendsElsewhere } from "../../makers.ts";
import { bindRoutes } from "../../route.ts";
import {
  changeChannel,
  createChannel,
  deleteChannel,
  getChannel,
  listChannels,
  takeOverChannel,
} from "./channels/channels.ts";
import { testChannel } from "./channels/test-channel.ts";
import { alertChannelRoutes, fail } from "./contract.ts";
import type { Needs } from "./needs.ts";
import { listChannelTrail, listEventTrail } from "./outbox/trail.ts";
import { previewTemplate } from "./texts/preview.ts";
import { listTemplates, writeTemplate } from "./texts/templates.ts";

/** What answers the routes of alert channels. */
export const bindAlertChannelRoutes = (needs: Needs): BoundRoutes =>
  bindRoutes(alertChannelRoutes, {
    "GET /api/alerting/channels": ({ actor }) => listChannels(needs, actor.role === "admin"),
    "POST /api/alerting/channels": ({ actor, body, ip }) => createChannel(needs, { user_id: actor.user_id, ip }, body),
    "GET /api/alerting/channels/{id}": ({ actor, params }) => getChannel(needs, params.id, actor.role === "admin"),
    "PUT /api/alerting/channels/{id}": ({ actor, params, body, ip }) => {
      if (actor.key !== null && sendsElsewhere(body)) throw fail("key_cannot_lead_channel");
      return changeChannel(needs, { user_id: actor.user_id, ip }, params.id, body);
    },
    "DELETE /api/alerting/channels/{id}": ({ actor, params, ip }) => {
      deleteChannel(needs, { user_id: actor.user_id, ip }, params.id);
      return { message: "The channel is deleted. What waited for it is dropped." };
    },
    "POST /api/alerting/channels/{id}/take-over": ({ actor, params, ip }) =>
      takeOverChannel(needs, { user_id: actor.user_id, ip }, params.id),
    "POST /api/alerting/channels/{id}/test": ({ actor, params, ip }) =>
      testChannel(needs, { user_id: actor.user_id, ip }, params.id),
    "GET /api/alerting/channels/{id}/deliveries": ({ params, query }) => listChannelTrail(needs, params.id, query),
    "GET /api/alerting/deliveries": ({ query }) => listEventTrail(needs, query.event_id),
    "GET /api/alerting/templates": () => listTemplates(needs),
    "PUT /api/alerting/templates": ({ actor, body, ip }) => writeTemplate(needs, { user_id: actor.user_id, ip }, body),
    "POST /api/alerting/templates/preview": ({ body }) => previewTemplate(needs, body),
  });
