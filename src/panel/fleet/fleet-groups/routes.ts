import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { bindRoutes } from "../../route.ts";
import { markOffline, setClient, setGroup, setRegion, setTags } from "./assign.ts";
import { listFleetClients } from "./clients.ts";
import { fleetGroupRoutes } from "./contract.ts";
import { addGroup, changeGroup, listAllGroups, removeGroup } from "./groups.ts";
import type { Needs } from "./needs.ts";

/** What answers the routes of groups, and of what people say about nodes. */
export const bindFleetGroupRoutes = (needs: Needs): BoundRoutes =>
  bindRoutes(fleetGroupRoutes, {
    "GET /api/fleet/groups": ({ actor }) => listAllGroups(needs, actor),
    "GET /api/fleet/clients": ({ actor }) => listFleetClients(needs, actor),
    "POST /api/fleet/groups": ({ actor, ip, body }) => addGroup(needs, actor, ip, body),
    "PATCH /api/fleet/groups/{id}": ({ actor, ip, params, body }) => changeGroup(needs, actor, ip, params.id, body),
    "DELETE /api/fleet/groups/{id}": ({ actor, ip, params }) => removeGroup(needs, actor, ip, params.id),
    "PUT /api/fleet/instances/{id}/region": ({ actor, ip, params, body }) =>
      setRegion(needs, actor, ip, params.id, body.region),
    "PUT /api/fleet/instances/{id}/client": ({ actor, ip, params, body }) =>
      setClient(needs, actor, ip, params.id, body.client_id),
    "PUT /api/fleet/instances/{id}/group": ({ actor, ip, params, body }) =>
      setGroup(needs, actor, ip, params.id, body.group_id),
    "PUT /api/fleet/instances/{id}/tags": ({ actor, ip, params, body }) =>
      setTags(needs, actor, ip, params.id, body.tags),
    "POST /api/fleet/instances/{id}/mark-offline": ({ actor, ip, params }) => markOffline(needs, actor, ip, params.id),
  });
