import { Elysia } from "elysia";
import { answersAs, noContent } from "../../../kernel/http/answers.ts";
import { sse } from "../../../kernel/http/sse.ts";
import { open, user } from "../../access.ts";
import type { NodeRoutes } from "../../context.ts";
import { deliverSession, originOf } from "../sign-ins/index.ts";
import {
  ApprovalCreated,
  ApprovalDecision,
  ApprovalInput,
  ApprovalParams,
  ApprovalPoll,
  PendingApprovals,
} from "./contract.ts";
import {
  assertApprovalKnown,
  decideApproval,
  listPending,
  pollApproval,
  requestApproval,
  watchApproval,
} from "./logic.ts";
import { createApprovals } from "./requests.ts";

export const approvalRoutes: NodeRoutes = (ctx) => {
  const deps = { ...ctx, approvals: createApprovals(ctx.clock) };
  return new Elysia({ prefix: "/api/auth/approve" })
    .use(ctx.guard)
    .post("/request", ({ body, request, ip }) => requestApproval(deps, body.email, originOf(request, ip)), {
      access: open(),
      body: ApprovalInput,
      response: ApprovalCreated,
    })
    .get("/pending", ({ actor }) => listPending(deps, actor), { access: user(), response: PendingApprovals })
    .get(
      "/:id",
      ({ params, request, isHttps, set }) => {
        // HEAD comes here too, and has no body to carry the session in.
        const { status, done } = pollApproval(deps, params.id, request.method === "GET");
        set.headers["cache-control"] = "no-store";
        return done ? { status, ...deliverSession(set.headers, done, isHttps) } : { status };
      },
      { access: open(), params: ApprovalParams, response: ApprovalPoll },
    )
    .get(
      "/:id/stream",
      ({ params, request, server }) => {
        assertApprovalKnown(deps, params.id);
        return sse(ctx, { request, server }, (signal) => watchApproval(deps, params.id, signal));
      },
      { access: open(), params: ApprovalParams, ...answersAs("text/event-stream") },
    )
    .post(
      "/:id/decide",
      ({ actor, params, body, set }) => {
        decideApproval(deps, actor, params.id, body);
        set.status = 204;
      },
      { access: user(), params: ApprovalParams, body: ApprovalDecision, ...noContent() },
    );
};
