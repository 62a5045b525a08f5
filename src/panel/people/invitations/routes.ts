import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { createLimiter, createSharedLimiter } from "../../../kernel/http/limit.ts";
import { networkOf } from "../../../kernel/http/peer.ts";
import { takeAll, takeOne } from "../../../kernel/http/too-many-requests.ts";
import { hours, minutes } from "../../../lib/duration.ts";
import { bindRoutes } from "../../route.ts";
import { panelOrigin } from "../sso/index.ts";
import { accept, lookAt } from "./accept.ts";
import { invitationRoutes } from "./contract.ts";
import { inviteAll, listOwn, makeLink, resend, revoke } from "./invite.ts";
import type { Needs } from "./needs.ts";

/**
 * What answers the routes of invitations. Invitations reach strangers by mail, so a network and a workspace send 300 addresses an hour
 * at most, the whole panel 3,000, and nobody gets the same letter twice in a minute. Tokens that open nothing are counted by the network.
 */
export function bindInvitationRoutes(needs: Needs): BoundRoutes {
  const { clock } = needs;
  const network = createLimiter(clock, 300, hours(1));
  const workspace = createLimiter(clock, 300, hours(1));
  // A few workspaces that send all they may do not silence the others.
  const everybody = createSharedLimiter(clock, { max: 3000, ownMax: 10 }, hours(1));
  const again = createLimiter(clock, 1, minutes(1));
  const tries = createLimiter(clock, 30, minutes(15));
  const take = (tenantId: string, ip: string, count: number): void => {
    for (let left = count; left > 0; left--)
      takeAll([
        [network, networkOf(ip)],
        [workspace, tenantId],
        [everybody, tenantId],
      ]);
  };
  /** Whole classes join from one network: what was right does not count. */
  const counted = async <Out>(ip: string, work: () => Promise<Out>): Promise<Out> => {
    takeOne(tries, networkOf(ip));
    const out = await work();
    tries.giveBack(networkOf(ip));
    return out;
  };
  return bindRoutes(invitationRoutes, {
    "GET /api/invitations": ({ actor }) => listOwn(needs, actor),
    async "POST /api/invitations/bulk"({ actor, ip, body, set, request, isHttps }) {
      const caller = { ip, origin: panelOrigin(needs.config, { request, isHttps }) };
      const done = await inviteAll(needs, actor, caller, body, (count) => take(actor.tenant_id, ip, count));
      set.status = done.invited.length > 0 ? 201 : 200;
      return done;
    },
    "POST /api/invitations/{id}/resend": ({ actor, ip, params }) =>
      resend(needs, actor, ip, params.id, () => {
        takeOne(again, `${actor.tenant_id} ${params.id}`);
        take(actor.tenant_id, ip, 1);
      }),
    "POST /api/invitations/{id}/link": ({ actor, ip, params, request, isHttps }) =>
      makeLink(needs, actor, { ip, origin: panelOrigin(needs.config, { request, isHttps }) }, params.id),
    async "DELETE /api/invitations/{id}"({ actor, ip, params, set }) {
      await revoke(needs, actor, ip, params.id);
      set.status = 204;
    },
    "POST /api/auth/invitation/look": ({ ip, body }) => counted(ip, () => lookAt(needs, ip, body.token)),
    "POST /api/auth/accept-invite": ({ ip, body, request }) => counted(ip, () => accept(needs, { ip, request }, body)),
  });
}
