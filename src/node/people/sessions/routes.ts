import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { bindRoutes } from "../../route.ts";
import { sessionRoutes } from "./contract.ts";
import { listSessions, revokeOtherSessions, revokeOwnSession } from "./logic.ts";
import type { Needs } from "./needs.ts";

/** What answers the routes of sessions. */
export const bindSessionRoutes = (needs: Needs): BoundRoutes =>
  bindRoutes(sessionRoutes, {
    "GET /api/auth/sessions": ({ actor }) => listSessions(needs, actor.user_id, actor.session_id),
    "DELETE /api/auth/sessions": ({ actor, ip }) => {
      const ended = revokeOtherSessions(needs, actor.user_id, actor.session_id, ip);
      return { message: "Your other sessions have ended.", ended };
    },
    "DELETE /api/auth/sessions/{id}": ({ actor, params, ip }) => {
      revokeOwnSession(needs, actor.user_id, params.id, ip);
      return { message: "The session has ended." };
    },
  });
