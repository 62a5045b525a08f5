import { Elysia } from "elysia";
import { noContent } from "../../../kernel/http/answers.ts";
import { open, user } from "../../access.ts";
import type { NodeRoutes } from "../../context.ts";
import { deliverSession, originOf } from "../sign-ins/index.ts";
import {
  Passkey,
  PasskeyChallenge,
  PasskeyCreated,
  PasskeyList,
  PasskeyLoginResult,
  PasskeyName,
  PasskeyParams,
  PasskeyProof,
  PasskeyRegistration,
} from "./contract.ts";
import { deleteOwnPasskey, listOwnPasskeys, renameOwnPasskey } from "./manage.ts";
import { beginPasskeySignIn, signInWithPasskey } from "./prove.ts";
import { beginRegistration, finishRegistration } from "./register.ts";

export const passkeyRoutes: NodeRoutes = (ctx) =>
  new Elysia({ prefix: "/api/auth/passkeys" })
    .use(ctx.guard)
    .get("", ({ actor }) => listOwnPasskeys(ctx, actor.user_id), { access: user(), response: PasskeyList })
    .patch("/:id", ({ actor, params, body }) => renameOwnPasskey(ctx, actor.user_id, params.id, body.name), {
      access: user(),
      params: PasskeyParams,
      body: PasskeyName,
      response: Passkey,
    })
    .delete(
      "/:id",
      ({ actor, params, ip, set }) => {
        deleteOwnPasskey(ctx, actor.user_id, params.id, ip);
        set.status = 204;
      },
      { access: user(), params: PasskeyParams, ...noContent() },
    )
    .post("/register/begin", ({ actor, request, isHttps }) => beginRegistration(ctx, actor, request, isHttps), {
      access: user(),
      response: PasskeyChallenge,
    })
    .post("/register/finish", ({ actor, body, ip }) => finishRegistration(ctx, actor, body, ip), {
      access: user(),
      body: PasskeyRegistration,
      response: PasskeyCreated,
    })
    .post("/login/begin", ({ request, isHttps }) => beginPasskeySignIn(ctx, request, isHttps), {
      access: open(),
      response: PasskeyChallenge,
    })
    .post(
      "/login/finish",
      async ({ body, ip, isHttps, request, set }) => {
        const outcome = await signInWithPasskey(ctx, body, originOf(request, ip));
        if (outcome.status === "signed_in") return deliverSession(set.headers, outcome.done, isHttps);
        return { totp_required: true as const, user_id: outcome.user_id, temp_token: outcome.temp_token };
      },
      { access: open(), body: PasskeyProof, response: PasskeyLoginResult },
    );
