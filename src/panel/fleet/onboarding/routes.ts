import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { sse } from "../../../kernel/http/sse.ts";
import { bindRoutes } from "../../route.ts";
import { onboardingRoutes } from "./contract.ts";
import { removeNode } from "./delete-node.ts";
import { describeEnrolment } from "./enrolment.ts";
import type { Own } from "./needs.ts";
import { createEnrollToken, createFleetToken, listGoodTokens, revokeToken } from "./tokens.ts";

/** What answers the routes of letting servers in and out. */
export const bindOnboardingRoutes = (own: Own): BoundRoutes =>
  bindRoutes(onboardingRoutes, {
    "POST /api/onboarding/enroll-token": ({ actor, request, ip, isHttps, body }) =>
      createEnrollToken(own, actor, { request, ip, isHttps }, body?.ttl_minutes),
    "GET /api/onboarding/enrolment": ({ actor }) => describeEnrolment(own, actor),
    "GET /api/onboarding/first-heartbeat": ({ actor, query, request, server }) => {
      const isStream = query.stream === "1" || request.headers.get("accept")?.includes("text/event-stream") === true;
      const accessChanges = own.accessEnds.of(actor);
      if (isStream) return sse({ ...own, accessChanges }, { request, server }, own.firstHeartbeats.watch(actor, query));
      // The server cuts what stays silent for ten seconds.
      server?.timeout(request, 0);
      return own.firstHeartbeats.poll(actor, query, request.signal);
    },
    "GET /api/fleet/tokens": async ({ actor }) => ({ tokens: await listGoodTokens(own, actor) }),
    "POST /api/fleet/tokens": ({ actor, request, ip, isHttps, body }) =>
      createFleetToken(own, actor, { request, ip, isHttps }, body),
    "DELETE /api/fleet/tokens/{id}": ({ actor, ip, params }) => revokeToken(own, actor, ip, params.id),
    "DELETE /api/fleet/instances/{id}": ({ actor, ip, params }) => removeNode(own, actor, ip, params.id),
  });
