import { Elysia } from "elysia";
import { noContent } from "../../../kernel/http/answers.ts";
import { user } from "../../access.ts";
import type { NodeRoutes } from "../../context.ts";
import { deliverSession, originOf } from "../sign-ins/index.ts";
import { AutoLock, SignedIn, UnlockInput } from "./contract.ts";
import { lockOwnSession, unlock } from "./logic.ts";
import { findAutoLock, saveAutoLock } from "./store.ts";

export const lockRoutes: NodeRoutes = (ctx) =>
  new Elysia({ prefix: "/api/auth" })
    .use(ctx.guard)
    .post(
      "/lock",
      ({ actor, ip, set }) => {
        lockOwnSession(ctx, actor, ip);
        set.status = 204;
      },
      { access: user(), ...noContent() },
    )
    .get("/auto-lock", ({ actor }) => ({ minutes: findAutoLock(ctx.db, actor.user_id) }), {
      access: user(),
      response: AutoLock,
    })
    .put(
      "/auto-lock",
      ({ actor, body }) => {
        saveAutoLock(ctx.db, actor.user_id, body.minutes);
        return { minutes: body.minutes };
      },
      { access: user(), body: AutoLock, response: AutoLock },
    )
    .post(
      "/unlock",
      async ({ actor, body, ip, isHttps, request, set }) =>
        deliverSession(set.headers, await unlock(ctx, actor, body, originOf(request, ip)), isHttps),
      { access: user(null, { whileLocked: true }), body: UnlockInput, response: SignedIn },
    );
