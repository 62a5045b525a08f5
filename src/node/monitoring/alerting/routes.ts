import { setImmediate } from "node:timers/promises";
import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { bindRoutes } from "../../route.ts";
import { alertingRoutes } from "./contract.ts";
import { acknowledgeEvent, listAlertEvents, readAlertEvent, silenceEvent } from "./events/events.ts";
import type { Own } from "./needs.ts";
import { previewRule } from "./preview/preview.ts";
import {
  changeAlertRule,
  createAlertRule,
  deleteAlertRule,
  listAlertRules,
  listTargets,
  readAlertRule,
} from "./rules/rules.ts";

/** What answers the routes of alerting. */
export const bindAlertingRoutes = (own: Own): BoundRoutes =>
  bindRoutes(alertingRoutes, {
    "GET /api/alerting/rules": () => listAlertRules(own),
    "POST /api/alerting/rules": ({ actor, ip, body }) => createAlertRule(own, { actor, ip }, body),
    "GET /api/alerting/rules/targets": () => listTargets(own),
    "POST /api/alerting/rules/preview": ({ body }) => previewRule(own, body, () => setImmediate()),
    "GET /api/alerting/rules/{id}": ({ params }) => readAlertRule(own, params.id),
    "PUT /api/alerting/rules/{id}": ({ actor, ip, params, body }) =>
      changeAlertRule(own, { actor, ip }, params.id, body),
    "DELETE /api/alerting/rules/{id}": ({ actor, ip, params }) => {
      deleteAlertRule(own, { actor, ip }, params.id);
      return { message: "The alert rule is deleted." };
    },
    "GET /api/alerting/events": ({ query }) => listAlertEvents(own, query),
    "GET /api/alerting/events/{id}": ({ actor, params }) => readAlertEvent(own, actor, params.id),
    "POST /api/alerting/events/{id}/acknowledge": ({ actor, params }) =>
      acknowledgeEvent(own, actor.user_id, params.id),
    "POST /api/alerting/events/{id}/silence": ({ params, body }) => silenceEvent(own, params.id, body),
  });
