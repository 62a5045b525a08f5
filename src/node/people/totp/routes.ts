import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { bindRoutes } from "../../route.ts";
import { deliverTokens, originOf } from "../sign-ins/index.ts";
import { totpRoutes } from "./contract.ts";
import {
  activateTotp,
  disableTotp,
  finishLogin,
  makeRecoveryCodes,
  readTotpStatus,
  requireUser,
  startEnrolment,
} from "./logic.ts";
import type { Own } from "./needs.ts";

/** What answers the routes of the second factor. */
export const bindTotpRoutes = (own: Own): BoundRoutes =>
  bindRoutes(totpRoutes, {
    "GET /api/auth/totp": ({ actor }) => readTotpStatus(own, actor.user_id),
    "POST /api/auth/totp/enable": ({ actor }) => startEnrolment(own, actor),
    "POST /api/auth/totp/verify": async ({ actor, body: { temp_token, code }, ip, isHttps, request, set }) => {
      if (temp_token !== undefined) {
        const done = finishLogin(own, { temp_token, code }, originOf(request, ip));
        return deliverTokens(set.headers, done, isHttps);
      }
      activateTotp(own, requireUser(actor), code, ip);
      return { message: "Two-factor sign-in is on.", totp_enabled: true as const };
    },
    "POST /api/auth/totp/disable": async ({ actor, body, ip, request }) => {
      await disableTotp(own, actor, body, ip, request.signal);
      return { message: "Two-factor sign-in is off." };
    },
    "POST /api/auth/recovery-codes": ({ actor, body, ip, request }) =>
      makeRecoveryCodes(own, actor, body ?? {}, ip, request.signal),
  });
