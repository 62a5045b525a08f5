import { Elysia } from "elysia";
import { admin, open } from "../../access.ts";
import type { NodeRoutes } from "../../context.ts";
import { deliverSession, originOf } from "../sign-ins/index.ts";
import {
  Invite,
  InviteAcceptance,
  InviteAccepted,
  InviteInfo,
  InviteInput,
  InviteParams,
  InviteToken,
} from "./contract.ts";
import { acceptInvite, inviteAgain, inviteUser, lookAtInvite } from "./logic.ts";

export const inviteRoutes: NodeRoutes = (ctx) =>
  new Elysia({ prefix: "/api" })
    .use(ctx.guard)
    .post("/users/invites", ({ actor, ip, body }) => inviteUser(ctx, { actor_id: actor.user_id, ip }, body), {
      access: admin("users"),
      body: InviteInput,
      response: Invite,
    })
    .post(
      "/users/:id/invite",
      ({ actor, ip, params }) => inviteAgain(ctx, { actor_id: actor.user_id, ip }, params.id),
      {
        access: admin("users"),
        params: InviteParams,
        response: Invite,
      },
    )
    .post("/auth/invites/look", ({ body, ip }) => lookAtInvite(ctx, body.token, ip), {
      access: open(),
      body: InviteToken,
      response: InviteInfo,
    })
    .post(
      "/auth/invites/accept",
      async ({ body, ip, isHttps, request, set }) => {
        const outcome = await acceptInvite(ctx, body, originOf(request, ip));
        if (outcome.status === "signed_in") return deliverSession(set.headers, outcome.done, isHttps);
        return { totp_required: true as const, temp_token: outcome.temp_token };
      },
      { access: open(), body: InviteAcceptance, response: InviteAccepted },
    );
