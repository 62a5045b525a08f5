import { Elysia } from "elysia";
import { can, open, signedIn } from "../../access.ts";
import type { PanelRoutes } from "../../context.ts";
import { answerConsent, preflight } from "./authorize.ts";
import * as contract from "./contract.ts";
import { exchangeCode } from "./exchange.ts";
import { impersonate } from "./impersonate.ts";

export const oauthRoutes: PanelRoutes = (ctx) =>
  new Elysia({ prefix: "/api" })
    .use(ctx.guard)
    .get("/oauth/authorize/preflight", ({ actor, query }) => preflight(ctx, actor, query), {
      access: signedIn(),
      query: contract.AuthorizationQuery,
      response: contract.Preflight,
    })
    .post("/oauth/authorize/consent", ({ actor, ip, body }) => answerConsent(ctx, actor, ip, body), {
      access: signedIn(),
      body: contract.ConsentInput,
      response: contract.Consent,
    })
    .post("/oauth/token", ({ body, ip }) => exchangeCode(ctx, ip, body), {
      access: open(),
      body: contract.TokenInput,
      response: contract.TokenOutput,
    })
    .post("/fleet/instances/:id/impersonate", ({ actor, ip, params }) => impersonate(ctx, actor, ip, params.id), {
      access: can("fleet:write"),
      params: contract.NodeParams,
      response: contract.Impersonation,
    });
