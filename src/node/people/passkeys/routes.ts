import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { bindRoutes } from "../../route.ts";
import { deliverSession, originOf } from "../sign-ins/index.ts";
import { passkeyRoutes } from "./contract.ts";
import { deleteOwnPasskey, listOwnPasskeys, renameOwnPasskey } from "./manage.ts";
import type { Own } from "./needs.ts";
import { beginPasskeySignIn, signInWithPasskey } from "./prove.ts";
import { beginRegistration, finishRegistration } from "./register.ts";

/** What answers the routes of passkeys. */
export const bindPasskeyRoutes = (own: Own): BoundRoutes =>
  bindRoutes(passkeyRoutes, {
    "GET /api/auth/passkeys": ({ actor }) => listOwnPasskeys(own, actor.user_id),
    "PATCH /api/auth/passkeys/{id}": ({ actor, params, body }) =>
      renameOwnPasskey(own, actor.user_id, params.id, body.name),
    "DELETE /api/auth/passkeys/{id}": ({ actor, params, ip, set }) => {
      deleteOwnPasskey(own, actor.user_id, params.id, ip);
      set.status = 204;
    },
    "POST /api/auth/passkeys/register/begin": ({ actor, request, isHttps }) =>
      beginRegistration(own, actor, request, isHttps),
    "POST /api/auth/passkeys/register/finish": ({ actor, body, ip }) => finishRegistration(own, actor, body, ip),
    "POST /api/auth/passkeys/login/begin": ({ request, ip, isHttps }) =>
      beginPasskeySignIn(own, request, { ip, isHttps }),
    "POST /api/auth/passkeys/login/finish": async ({ body, ip, isHttps, request, set }) => {
      const outcome = await signInWithPasskey(own, body, originOf(request, ip));
      if (outcome.status === "signed_in") return deliverSession(set.headers, outcome.done, isHttps);
      return { totp_required: true as const, user_id: outcome.user_id, temp_token: outcome.temp_token };
    },
  });
