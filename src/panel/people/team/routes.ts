import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { bindRoutes } from "../../route.ts";
import { teamRoutes } from "./contract.ts";
import { changeRole, listTeam, removeMember, restoreMember } from "./logic.ts";
import type { Own } from "./needs.ts";
import { listPresence } from "./presence.ts";

/** What answers the routes of the team. */
export const bindTeamRoutes = (own: Own): BoundRoutes =>
  bindRoutes(teamRoutes, {
    "GET /api/team/members": ({ actor, query }) => listTeam(own, actor, query.active_only === "true"),
    "PUT /api/team/members/{id}/role": ({ actor, ip, params, body }) =>
      changeRole(own, actor, ip, params.id, body.role),
    "DELETE /api/team/members/{id}": ({ actor, ip, params }) => removeMember(own, actor, ip, params.id),
    "POST /api/team/members/{id}/restore": ({ actor, ip, params }) => restoreMember(own, actor, ip, params.id),
    "GET /api/presence": ({ actor, query }) => listPresence(own, actor, query.limit),
    "POST /api/presence/heartbeat": ({ actor, body, set }) => {
      own.presences.note(actor.tenant_id, actor.member_id, body.page);
      set.status = 204;
    },
  });
