import { Elysia, t } from "elysia";
import { user } from "../../access.ts";
import type { NodeRoutes } from "../../context.ts";
import { Session, SessionParams, SessionsEnded } from "./contract.ts";
import { listSessions, revokeOtherSessions, revokeOwnSession } from "./logic.ts";

export const sessionRoutes: NodeRoutes = (ctx) =>
  new Elysia({ prefix: "/api/auth/sessions" })
    .use(ctx.guard)
    .get("", ({ actor }) => listSessions(ctx, actor.user_id, actor.session_id), {
      access: user(),
      response: t.Array(Session),
    })
    .delete(
      "",
      ({ actor, ip }) => {
        const ended = revokeOtherSessions(ctx, actor.user_id, actor.session_id, ip);
        return { message: "Your other sessions have ended.", ended };
      },
      { access: user(), response: SessionsEnded },
    )
    .delete(
      "/:id",
      ({ actor, params, ip }) => {
        revokeOwnSession(ctx, actor.user_id, params.id, ip);
        return { message: "The session has ended." };
      },
      { access: user(), params: SessionParams, response: t.Object({ message: t.String() }) },
    );
