import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { bindRoutes } from "../../route.ts";
import { answerConsent, preflight } from "./authorize.ts";
import { oauthRoutes } from "./contract.ts";
import { exchangeCode } from "./exchange.ts";
import { impersonate } from "./impersonate.ts";
import type { Needs } from "./needs.ts";
import { tellVisits } from "./visits.ts";

/** What answers the routes of signing in to nodes. */
export const bindOauthRoutes = (needs: Needs): BoundRoutes =>
  bindRoutes(oauthRoutes, {
    "GET /api/oauth/authorize/preflight": ({ actor, query }) => preflight(needs, actor, query),
    "POST /api/oauth/authorize/consent": ({ actor, ip, body }) => answerConsent(needs, actor, ip, body),
    "POST /api/oauth/token": ({ body, ip }) => exchangeCode(needs, ip, body),
    "POST /api/oauth/visits": ({ body }) => tellVisits(needs, body),
    "POST /api/fleet/instances/{id}/impersonate": ({ actor, ip, params }) => impersonate(needs, actor, ip, params.id),
  });
