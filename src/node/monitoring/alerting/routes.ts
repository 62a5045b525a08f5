import { setImmediate } from "node:timers/promises";
import { Elysia, t } from "elysia";
import { admin, user } from "../../access.ts";
import type { NodeRoutes } from "../../context.ts";
import {
  AlertEvent,
  AlertRule,
  EventQuery,
  IdParams,
  RuleChange,
  RuleInput,
  RulePreview,
  RuleTargets,
  SilenceInput,
} from "./contract.ts";
import { acknowledgeEvent, listAlertEvents, readAlertEvent, silenceEvent } from "./events/events.ts";
import { previewRule } from "./preview/preview.ts";
import {
  changeAlertRule,
  createAlertRule,
  deleteAlertRule,
  listAlertRules,
  listTargets,
  readAlertRule,
} from "./rules/rules.ts";

const one = { params: IdParams, response: AlertRule };

export const alertingRoutes: NodeRoutes = (ctx) =>
  new Elysia({ prefix: "/api/alerting" })
    .use(ctx.guard)
    .get("/rules", () => listAlertRules(ctx), { access: user("alerts"), response: t.Array(AlertRule) })
    .post("/rules", ({ actor, ip, body }) => createAlertRule(ctx, { actor, ip }, body), {
      access: user("alerts"),
      body: RuleInput,
      response: AlertRule,
    })
    .get("/rules/targets", () => listTargets(ctx), { access: user("alerts"), response: RuleTargets })
    .post("/rules/preview", ({ body }) => previewRule(ctx, body, () => setImmediate()), {
      access: user("alerts"),
      body: RuleInput,
      response: RulePreview,
    })
    .get("/rules/:id", ({ params }) => readAlertRule(ctx, params.id), { access: user("alerts"), ...one })
    .put("/rules/:id", ({ actor, ip, params, body }) => changeAlertRule(ctx, { actor, ip }, params.id, body), {
      access: user("alerts"),
      body: RuleChange,
      ...one,
    })
    .delete(
      "/rules/:id",
      ({ actor, ip, params }) => {
        deleteAlertRule(ctx, { actor, ip }, params.id);
        return { message: "The alert rule is deleted." };
      },
      { access: user("alerts"), params: IdParams, response: t.Object({ message: t.String() }) },
    )
    .get("/events", ({ query }) => listAlertEvents(ctx, query), {
      access: user("alerts"),
      query: EventQuery,
      response: t.Array(AlertEvent),
    })
    .get("/events/:id", ({ params }) => readAlertEvent(ctx, params.id), {
      access: user("alerts"),
      params: IdParams,
      response: AlertEvent,
    })
    .post("/events/:id/acknowledge", ({ actor, params }) => acknowledgeEvent(ctx, actor.user_id, params.id), {
      access: admin("alerts"),
      params: IdParams,
      response: AlertEvent,
    })
    .post("/events/:id/silence", ({ params, body }) => silenceEvent(ctx, params.id, body), {
      access: admin("alerts"),
      params: IdParams,
      body: SilenceInput,
      response: AlertEvent,
    });
