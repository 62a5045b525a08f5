import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { bindRoutes } from "../../route.ts";
import { acknowledgeAlerts, listAlertGroups } from "./acknowledge.ts";
import { fleetAlertRoutes, GROUPS_MAX } from "./contract.ts";
import type { Needs } from "./needs.ts";

/** What answers the routes of grouped alerts. */
export const bindFleetAlertRoutes = (needs: Needs): BoundRoutes =>
  bindRoutes(fleetAlertRoutes, {
    "GET /api/fleet/alerts/groups": ({ actor, query }) => listAlertGroups(needs, actor, query.limit ?? GROUPS_MAX),
    "POST /api/fleet/alerts/acknowledge": ({ actor, ip, body }) => acknowledgeAlerts(needs, actor, ip, body),
  });
