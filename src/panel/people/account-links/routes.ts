import { kernelFail } from "../../../kernel/http/errors.ts";
import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { createLimiter } from "../../../kernel/http/limit.ts";
import { networkOf } from "../../../kernel/http/peer.ts";
import { minutes } from "../../../lib/duration.ts";
import { bindRoutes } from "../../route.ts";
import { accountLinkRoutes } from "./contract.ts";
import { applyLink, lookAtLink } from "./logic.ts";
import type { Needs } from "./needs.ts";

/** What answers the routes of links. Tokens cannot be guessed, but each password that is chosen is hashed. */
export function bindAccountLinkRoutes(needs: Needs): BoundRoutes {
  const tries = createLimiter(needs.clock, 30, minutes(15));
  const take = (ip: string): void => {
    const wait = tries.take(networkOf(ip));
    if (wait > 0) throw kernelFail("too_many_requests", { retry_after_s: wait }, { "retry-after": String(wait) });
  };
  return bindRoutes(accountLinkRoutes, {
    "POST /api/auth/link/look": ({ ip, body }) => {
      take(ip);
      return lookAtLink(needs, body.token);
    },
    "POST /api/auth/link/use": ({ ip, body }) => {
      take(ip);
      return applyLink(needs, ip, body.token, body.password);
    },
  });
}
