import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { bindRoutes } from "../../route.ts";
import { deliverSession, originOf } from "../sign-ins/index.ts";
import { lockRoutes } from "./contract.ts";
import { lockOwnSession, unlock } from "./logic.ts";
import type { Needs } from "./needs.ts";
import { findAutoLock, saveAutoLock } from "./store.ts";

/** What answers the routes of the lock. */
export const bindLockRoutes = (needs: Needs): BoundRoutes =>
  bindRoutes(lockRoutes, {
    "POST /api/auth/lock": ({ actor, ip, set }) => {
      lockOwnSession(needs, actor, ip);
      set.status = 204;
    },
    "POST /api/auth/unlock": async ({ actor, body, ip, isHttps, request, set }) =>
      deliverSession(set.headers, await unlock(needs, actor, body, originOf(request, ip), request.signal), isHttps),
    "GET /api/auth/auto-lock": ({ actor }) => ({ minutes: findAutoLock(needs.db, actor.user_id) }),
    "PUT /api/auth/auto-lock": ({ actor, body }) => {
      saveAutoLock(needs.db, actor.user_id, body.minutes);
      return { minutes: body.minutes };
    },
  });
