import { Elysia } from "elysia";
import { open } from "../../../kernel/http/access.ts";
import type { PanelRoutes } from "../../context.ts";
import { signedIn } from "../../permissions.ts";
import { answerConsent, preflight } from "./authorize.ts";
import * as contract from "./contract.ts";
import { exchangeCode } from "./exchange.ts";

export const oauthRoutes: PanelRoutes = (ctx) =>
  new Elysia({ prefix: "/api/oauth" })
    .use(ctx.guard)
    .get("/authorize/preflight", ({ actor, query }) => preflight(ctx, actor, query), {
      access: signedIn(),
      query: contract.AuthorizationQuery,
      response: contract.Preflight,
    })
    .post("/authorize/consent", ({ actor, ip, body }) => answerConsent(ctx, actor, ip, body), {
      access: signedIn(),
      body: contract.ConsentInput,
      response: contract.Consent,
    })
    .post("/token", ({ body, ip }) => exchangeCode(ctx, ip, body), {
      access: open(),
      body: contract.TokenInput,
      response: contract.TokenOutput,
    });
