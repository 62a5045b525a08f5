import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { createLimiter, createSharedLimiter } from "../../../kernel/http/limit.ts";
import { networkOf, providerOf } from "../../../kernel/http/peer.ts";
import { takeAll, takeOne } from "../../../kernel/http/too-many-requests.ts";
import { hours, minutes } from "../../../lib/duration.ts";
import { bindRoutes } from "../../route.ts";
import { requireWholeAccount } from "../sessions/index.ts";
import { emailProofRoutes } from "./contract.ts";
import { askForChange, confirm, dropChange, readStatus, sendLink } from "./logic.ts";
import type { Needs } from "./needs.ts";

/** What answers the routes of proofs of addresses. */
export function bindEmailProofRoutes(needs: Needs): BoundRoutes {
  const { clock } = needs;
  const tries = createLimiter(clock, 30, minutes(15));
  const letters = createLimiter(clock, 5, hours(1));
  // One person with many accounts must not use the panel to write to strangers, nor keep letters from all others.
  const everybody = createSharedLimiter(clock, { max: 300, ownMax: 3 }, hours(1));
  const takeLetter = (accountId: string, ip: string): void =>
    takeAll([
      [letters, accountId],
      [everybody, providerOf(ip)],
    ]);
  return bindRoutes(emailProofRoutes, {
    "GET /api/auth/email": ({ actor }) => {
      requireWholeAccount(actor);
      return readStatus(needs, actor);
    },
    "PUT /api/auth/email": async ({ actor, ip, body, set }) => {
      requireWholeAccount(actor);
      takeLetter(actor.account_id, ip);
      await askForChange(needs, actor, ip, body.email);
      set.status = 202;
      return { status: "accepted" as const };
    },
    "DELETE /api/auth/email": async ({ actor }) => {
      requireWholeAccount(actor);
      await dropChange(needs, actor);
      return { status: "dropped" as const };
    },
    "POST /api/auth/email/send": async ({ actor, ip, set }) => {
      requireWholeAccount(actor);
      takeLetter(actor.account_id, ip);
      await sendLink(needs, actor);
      set.status = 202;
      return { status: "accepted" as const };
    },
    "POST /api/auth/email/confirm": ({ ip, body, request }) => {
      takeOne(tries, networkOf(ip));
      return confirm(needs, ip, request, body.token);
    },
  });
}
