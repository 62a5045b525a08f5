import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { bindRoutes } from "../../route.ts";
import { fleetIncidentRoutes } from "./contract.ts";
import { addNote, listIncidents, readIncident } from "./logic.ts";
import type { Needs } from "./needs.ts";

/** What answers the routes of incidents. */
export const bindFleetIncidentRoutes = (needs: Needs): BoundRoutes =>
  bindRoutes(fleetIncidentRoutes, {
    "GET /api/fleet/incidents": ({ actor, query }) => listIncidents(needs, actor, query),
    "GET /api/fleet/incidents/{id}": ({ actor, params }) => readIncident(needs, actor, params.id),
    "POST /api/fleet/incidents/{id}/notes": ({ actor, ip, params, body }) =>
      addNote(needs, actor, ip, params.id, body.text),
  });
