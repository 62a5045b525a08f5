import { Elysia, t } from "elysia";
import { openOrUser, user } from "../../access.ts";
import type { NodeRoutes } from "../../context.ts";
import { deliverTokens, originOf } from "../sign-ins/index.ts";
import { Proof, RecoveryCodes, TotpEnrolment, TotpStatus, TotpVerifyInput, TotpVerifyResult } from "./contract.ts";
import {
  activateTotp,
  disableTotp,
  finishLogin,
  makeRecoveryCodes,
  readTotpStatus,
  requireUser,
  startEnrolment,
} from "./logic.ts";

export const totpRoutes: NodeRoutes = (ctx) =>
  new Elysia({ prefix: "/api/auth" })
    .use(ctx.guard)
    .get("/totp", ({ actor }) => readTotpStatus(ctx, actor.user_id), { access: user(), response: TotpStatus })
    .post("/totp/enable", ({ actor }) => startEnrolment(ctx, actor), { access: user(), response: TotpEnrolment })
    .post(
      "/totp/verify",
      async ({ actor, body: { temp_token, code }, ip, isHttps, request, set }) => {
        if (temp_token !== undefined) {
          const done = finishLogin(ctx, { temp_token, code }, originOf(request, ip));
          return deliverTokens(set.headers, done, isHttps);
        }
        activateTotp(ctx, requireUser(actor), code, ip);
        return { message: "Two-factor sign-in is on.", totp_enabled: true as const };
      },
      { access: openOrUser(), body: TotpVerifyInput, response: TotpVerifyResult },
    )
    .post(
      "/totp/disable",
      async ({ actor, body, ip }) => {
        await disableTotp(ctx, actor, body, ip);
        return { message: "Two-factor sign-in is off." };
      },
      { access: user(), body: Proof, response: t.Object({ message: t.String() }) },
    )
    .post("/recovery-codes", ({ actor, body, ip }) => makeRecoveryCodes(ctx, actor, body ?? {}, ip), {
      access: user(),
      body: t.Optional(Proof),
      response: RecoveryCodes,
    });
