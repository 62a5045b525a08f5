import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import type { Actor } from "../../actor.ts";
import { bindRoutes } from "../../route.ts";
import { deliverSession, originOf } from "../sign-ins/index.ts";
import { inviteRoutes } from "./contract.ts";
import {
  acceptInvite,
  inviteAgain,
  inviteUser,
  listOpenInvites,
  lookAtInvite,
  type Maker,
  withdrawInvite,
} from "./logic.ts";
import type { Needs } from "./needs.ts";

const makerOf = ({ user_id, session_id, device_id }: Actor, ip: string): Maker => ({
  actor_id: user_id,
  ip,
  session_id,
  device_id,
});

/** What answers the routes of invites. */
export const bindInviteRoutes = (needs: Needs): BoundRoutes =>
  bindRoutes(inviteRoutes, {
    "POST /api/users/invites": ({ actor, ip, body }) => inviteUser(needs, makerOf(actor, ip), body),
    "POST /api/users/{id}/invite": ({ actor, ip, params }) => inviteAgain(needs, makerOf(actor, ip), params.id),
    "GET /api/users/invites": () => listOpenInvites(needs),
    "DELETE /api/users/{id}/invite": ({ actor, ip, params, set }) => {
      withdrawInvite(needs, { actor_id: actor.user_id, ip }, params.id);
      set.status = 204;
    },
    "POST /api/auth/invites/look": ({ body, ip }) => lookAtInvite(needs, body.token, ip),
    "POST /api/auth/invites/accept": async ({ body, ip, isHttps, request, set }) => {
      const outcome = await acceptInvite(needs, body, originOf(request, ip));
      if (outcome.status === "signed_in") return deliverSession(set.headers, outcome.done, isHttps);
      return { totp_required: true as const, temp_token: outcome.temp_token };
    },
  });
