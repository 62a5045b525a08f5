import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { assertNoForeignVisit } from "../../../kernel/http/own-page.ts";
import { sse } from "../../../kernel/http/sse.ts";
import { bindRoutes } from "../../route.ts";
import { deliverSession, originOf } from "../sign-ins/index.ts";
import { approvalRoutes } from "./contract.ts";
import {
  assertApprovalKnown,
  decideApproval,
  listPending,
  pollApproval,
  requestApproval,
  watchApproval,
} from "./logic.ts";
import type { Own } from "./needs.ts";

/** What answers the routes of approvals. */
export const bindApprovalRoutes = (own: Own): BoundRoutes =>
  bindRoutes(approvalRoutes, {
    "POST /api/auth/approve/request": ({ body, request, ip }) =>
      requestApproval(own, body.email, originOf(request, ip)),
    "GET /api/auth/approve/pending": ({ actor }) => listPending(own, actor),
    "GET /api/auth/approve/{id}": ({ params, request, isHttps, set }) => {
      // A stranger's approved request, sent as a link, would sign its reader in as the stranger.
      assertNoForeignVisit(request, own.config.allowed_origins);
      // HEAD comes here too, and has no body to carry the session in.
      const { status, done } = pollApproval(own, params.id, request.method === "GET");
      set.headers["cache-control"] = "no-store";
      return done ? { status, ...deliverSession(set.headers, done, isHttps) } : { status };
    },
    "GET /api/auth/approve/{id}/stream": ({ params, request, server }) => {
      assertApprovalKnown(own, params.id);
      return sse(own, { request, server }, (signal) => watchApproval(own, params.id, signal));
    },
    "POST /api/auth/approve/{id}/decide": ({ actor, params, body, set }) => {
      decideApproval(own, actor, params.id, body);
      set.status = 204;
    },
  });
