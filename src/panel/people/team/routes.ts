import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { bindRoutes } from "../../route.ts";
import { teamRoutes } from "./contract.ts";
import { changeRole, listTeam, removeMember, restoreMember } from "./logic.ts";
import type { Needs } from "./needs.ts";

/** What answers the routes of the team. */
export const bindTeamRoutes = (needs: Needs): BoundRoutes =>
  bindRoutes(teamRoutes, {
    "GET /api/team/members": ({ actor, query }) => listTeam(needs, actor, query.active_only === "true"),
    "PUT /api/team/members/{id}/role": ({ actor, ip, params, body }) =>
      changeRole(needs, actor, ip, params.id, body.role),
    "DELETE /api/team/members/{id}": ({ actor, ip, params }) => removeMember(needs, actor, ip, params.id),
    "POST /api/team/members/{id}/restore": ({ actor, ip, params }) => restoreMember(needs, actor, ip, params.id),
  });
