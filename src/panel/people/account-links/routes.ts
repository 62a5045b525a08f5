import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { createLimiter, createSharedLimiter } from "../../../kernel/http/limit.ts";
import { networkOf, providerOf } from "../../../kernel/http/peer.ts";
import { takeAll, takeOne } from "../../../kernel/http/too-many-requests.ts";
import { hours, minutes } from "../../../lib/duration.ts";
import { lookedFor } from "../../addresses.ts";
import { bindRoutes } from "../../route.ts";
import { accountLinkRoutes } from "./contract.ts";
import { askForReset } from "./forgotten.ts";
import { applyLink, lookAtLink } from "./logic.ts";
import type { Needs } from "./needs.ts";

/** What answers the routes of links. Tokens cannot be guessed, but each password that is chosen is hashed. */
export function bindAccountLinkRoutes(needs: Needs): BoundRoutes {
  const tries = createLimiter(needs.clock, 30, minutes(15));
  const take = (ip: string): void => takeOne(tries, networkOf(ip));
  const network = createLimiter(needs.clock, 5, minutes(15));
  const account = createLimiter(needs.clock, 3, hours(1));
  // Where letters go in crowds, each provider still has a few: nobody with very many networks silences the others.
  const everybody = createSharedLimiter(needs.clock, { max: 300, ownMax: 3 }, hours(1));
  /** Counted alike for addresses with and without an account. */
  const takeMail = (ip: string, email: string): void =>
    takeAll([
      [network, networkOf(ip)],
      [account, lookedFor(email)],
      [everybody, providerOf(ip)],
    ]);
  return bindRoutes(accountLinkRoutes, {
    "GET /api/auth/recovery": () => ({ by_mail: needs.mail.missing().length === 0 }),
    async "POST /api/auth/forgot-password"({ ip, body }) {
      takeMail(ip, body.email);
      await askForReset(needs, ip, body.email);
      return { status: "accepted" as const };
    },
    "POST /api/auth/link/look": ({ ip, body }) => {
      take(ip);
      return lookAtLink(needs, body.token);
    },
    "POST /api/auth/link/use": ({ ip, body, request }) => {
      take(ip);
      return applyLink(needs, ip, body.token, body.password, request.signal);
    },
  });
}
