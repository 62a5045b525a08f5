import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { bindRoutes } from "../../route.ts";
import { deliverSession, originOf } from "../sign-ins/index.ts";
import { inviteRoutes } from "./contract.ts";
import { acceptInvite, inviteAgain, inviteUser, lookAtInvite } from "./logic.ts";
import type { Needs } from "./needs.ts";

/** What answers the routes of invites. */
export const bindInviteRoutes = (needs: Needs): BoundRoutes =>
  bindRoutes(inviteRoutes, {
    "POST /api/users/invites": ({ actor, ip, body }) => inviteUser(needs, { actor_id: actor.user_id, ip }, body),
    "POST /api/users/{id}/invite": ({ actor, ip, params }) =>
      inviteAgain(needs, { actor_id: actor.user_id, ip }, params.id),
    "POST /api/auth/invites/look": ({ body, ip }) => lookAtInvite(needs, body.token, ip),
    "POST /api/auth/invites/accept": async ({ body, ip, isHttps, request, set }) => {
      const outcome = await acceptInvite(needs, body, originOf(request, ip));
      if (outcome.status === "signed_in") return deliverSession(set.headers, outcome.done, isHttps);
      return { totp_required: true as const, temp_token: outcome.temp_token };
    },
  });
