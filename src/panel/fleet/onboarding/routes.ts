import { Elysia } from "elysia";
import { sse } from "../../../kernel/http/sse.ts";
import { can } from "../../access.ts";
import type { PanelRoutes } from "../../context.ts";
import {
  EnrollToken,
  EnrollTokenInput,
  FirstHeartbeat,
  FirstHeartbeatQuery,
  FleetToken,
  FleetTokenInput,
  NodeDeleted,
  NodeParams,
  TokenList,
  TokenParams,
  TokenRevoked,
} from "./contract.ts";
import { removeNode } from "./delete-node.ts";
import { createFirstHeartbeats } from "./first-heartbeat.ts";
import { createEnrollToken, createFleetToken, listGoodTokens, revokeToken } from "./tokens.ts";

export const onboardingRoutes: PanelRoutes = (ctx) => {
  const firstHeartbeats = createFirstHeartbeats(ctx);
  return new Elysia()
    .use(ctx.guard)
    .post(
      "/api/onboarding/enroll-token",
      ({ actor, request, ip, isHttps, body }) =>
        createEnrollToken(ctx, actor, { request, ip, isHttps }, body?.ttl_minutes),
      { access: can("fleet:write"), body: EnrollTokenInput, response: EnrollToken },
    )
    .get(
      "/api/onboarding/first-heartbeat",
      ({ actor, query, request, server }) => {
        const isStream = query.stream === "1" || request.headers.get("accept")?.includes("text/event-stream") === true;
        if (isStream) return sse(ctx, { request, server }, firstHeartbeats.watch(actor, query));
        // The server cuts what stays silent for ten seconds.
        server?.timeout(request, 0);
        return firstHeartbeats.poll(actor, query, request.signal);
      },
      { access: can("fleet:read"), query: FirstHeartbeatQuery, response: FirstHeartbeat },
    )
    .get("/api/fleet/tokens", async ({ actor }) => ({ tokens: await listGoodTokens(ctx, actor) }), {
      access: can("fleet:write"),
      response: TokenList,
    })
    .post("/api/fleet/tokens", ({ actor, ip, body }) => createFleetToken(ctx, actor, ip, body), {
      access: can("fleet:write"),
      body: FleetTokenInput,
      response: FleetToken,
    })
    .delete("/api/fleet/tokens/:id", ({ actor, ip, params }) => revokeToken(ctx, actor, ip, params.id), {
      access: can("fleet:write"),
      params: TokenParams,
      response: TokenRevoked,
    })
    .delete("/api/fleet/instances/:id", ({ actor, ip, params }) => removeNode(ctx, actor, ip, params.id), {
      access: can("fleet:write"),
      params: NodeParams,
      response: NodeDeleted,
    });
};
