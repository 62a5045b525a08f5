import { Elysia, t } from "elysia";
import { user } from "../../../kernel/http/access.ts";
import type { NodeRoutes } from "../../context.ts";
import { Session, SessionParams } from "./contract.ts";
import { listSessions, revokeOwnSession } from "./logic.ts";

export const sessionRoutes: NodeRoutes = (ctx) =>
  new Elysia({ prefix: "/api/auth/sessions" })
    .use(ctx.guard)
    .get("", ({ actor }) => listSessions(ctx, actor.user_id, actor.session_id), {
      access: user(),
      response: t.Array(Session),
    })
    .delete(
      "/:id",
      ({ actor, params }) => {
        revokeOwnSession(ctx, actor.user_id, params.id);
        return { message: "The session has ended." };
      },
      { access: user(), params: SessionParams, response: t.Object({ message: t.String() }) },
    );
