import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { createLimiter } from "../../../kernel/http/limit.ts";
import { networkOf } from "../../../kernel/http/peer.ts";
import { assertNoWait } from "../../../kernel/http/too-many-requests.ts";
import { minutes } from "../../../lib/duration.ts";
import { bindRoutes } from "../../route.ts";
import { leaveToken } from "../sessions/index.ts";
import { exchange } from "./admit.ts";
import { addConnector, enforce, listOwn, putConnector, removeConnector, turnOff, turnOn } from "./connectors.ts";
import { ssoRoutes } from "./contract.ts";
import { addDomain, discover, listOwnDomains, removeDomain, verifyDomain } from "./domains.ts";
import type { Own } from "./needs.ts";
import { finish, takeAnswer } from "./saml/acs.ts";
import { describeProvider } from "./saml/fetch-metadata.ts";
import { describeOurselves } from "./saml/our-metadata.ts";
import { readForm } from "./saml/read-form.ts";
import { beginSignIn, comeBack, only } from "./sign-in.ts";
import { beginTest } from "./test-run.ts";

/**
 * What answers the routes of single sign-on. Looking a domain up asks other servers, and judging a signed document takes a good part
 * of a second, so both are bounded.
 */
export function bindSsoRoutes(own: Own): BoundRoutes {
  const looks = createLimiter(own.clock, 30, minutes(10));
  const begun = createLimiter(own.clock, 300, minutes(1));
  const take = (limiter: typeof looks, key: string): void => assertNoWait(limiter.take(key));

  return bindRoutes(ssoRoutes, {
    "GET /api/sso/connectors": (asked) => listOwn(own, asked.actor, asked),
    "POST /api/sso/connectors": (asked) => addConnector(own, asked.actor, asked.ip, asked, asked.body),
    "PUT /api/sso/connectors/{id}": (asked) =>
      putConnector(own, asked.actor, asked.ip, asked, asked.params.id, asked.body),
    async "DELETE /api/sso/connectors/{id}"({ actor, ip, params, set }) {
      await removeConnector(own, actor, ip, params.id);
      set.status = 204;
    },
    "POST /api/sso/connectors/{id}/test": ({ actor, params }) => beginTest(own, actor, params.id),
    "POST /api/sso/connectors/{id}/turn-on": (asked) => turnOn(own, asked.actor, asked.ip, asked, asked.params.id),
    "POST /api/sso/connectors/{id}/turn-off": (asked) => turnOff(own, asked.actor, asked.ip, asked, asked.params.id),
    "POST /api/sso/connectors/{id}/enforce": (asked) =>
      enforce(own, asked.actor, asked.ip, asked, asked.params.id, asked.body.break_glass_member_id),
    "GET /api/domains": ({ actor }) => listOwnDomains(actor),
    "POST /api/domains": ({ actor, ip, body }) => addDomain(own, actor, ip, body.host),
    "POST /api/domains/{id}/verify": ({ actor, ip, params }) => {
      take(looks, actor.tenant_id);
      return verifyDomain(own, actor, ip, params.id);
    },
    async "DELETE /api/domains/{id}"({ actor, ip, params, set }) {
      await removeDomain(own, actor, ip, params.id);
      set.status = 204;
    },
    "POST /api/sso/discover": ({ body }) => discover(own, body.email),
    "GET /api/sso/{id}/start": (asked) => {
      take(begun, networkOf(asked.ip));
      return beginSignIn(own, asked, asked.params.id, asked.query);
    },
    "GET /api/sso/{id}/callback": (asked) => comeBack(own, asked, asked.params.id),
    "POST /api/sso/read-metadata": (asked) => {
      take(looks, asked.actor.tenant_id);
      return describeProvider(own, asked.actor.tenant_id, asked.body);
    },
    "GET /api/sso/{id}/metadata": (asked) => describeOurselves(own, asked, asked.params.id),
    "POST /api/sso/{id}/acs": async (asked) => {
      const { ip, request, params } = asked;
      own.belief.check(params.id, ip);
      return takeAnswer(own, asked, params.id, await readForm(own.answers, request, ip));
    },
    "GET /api/sso/{id}/finish": (asked) =>
      finish(own, asked, asked.params.id, only(new URL(asked.request.url).searchParams, "ticket") ?? ""),
    "POST /api/auth/sso/exchange": async (asked) => {
      const { answer, cookie } = await exchange(own, asked, asked.body);
      return leaveToken(asked.set.headers, asked.isHttps, answer, [cookie]);
    },
  });
}
