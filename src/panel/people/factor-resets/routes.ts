import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { createLimiter } from "../../../kernel/http/limit.ts";
import { hours } from "../../../lib/duration.ts";
import { bindRoutes } from "../../route.ts";
import { requireWholeAccount } from "../sessions/index.ts";
import { factorResetRoutes } from "./contract.ts";
import { beginReset, listOwnResets, listResets, stopOwnResets, stopReset } from "./logic.ts";
import type { Needs } from "./needs.ts";

/** Resets that are begun of one account: each sends letters to it and to everybody who could stop it. */
const BEGUN_AN_HOUR = 5;

/** What answers the routes of resets of second factors. */
export const bindFactorResetRoutes = (needs: Needs): BoundRoutes => {
  const own = { ...needs, begun: createLimiter(needs.clock, BEGUN_AN_HOUR, hours(1)) };
  return bindRoutes(factorResetRoutes, {
    "GET /api/team/factor-resets": ({ actor }) => listResets(actor),
    "POST /api/team/members/{id}/factor-reset": async ({ actor, ip, params, set }) => {
      const begun = await beginReset(own, actor, ip, params.id);
      set.status = 202;
      return begun;
    },
    "DELETE /api/team/members/{id}/factor-reset": ({ actor, ip, params }) => stopReset(needs, actor, ip, params.id),
    "GET /api/auth/factor-resets": ({ actor }) => {
      requireWholeAccount(actor);
      return listOwnResets(needs, actor);
    },
    "DELETE /api/auth/factor-resets": ({ actor, ip }) => {
      requireWholeAccount(actor);
      return stopOwnResets(needs, actor, ip);
    },
  });
};
