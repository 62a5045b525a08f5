import { Elysia, t } from "elysia";
import { answersAs } from "../../../kernel/http/answers.ts";
import { resumeFrom, sse } from "../../../kernel/http/sse.ts";
import { admin, user } from "../../access.ts";
import type { NodeRoutes } from "../../context.ts";
import { Operation, OperationEventsQuery, OperationParams } from "./contract.ts";

export const operationRoutes: NodeRoutes = (ctx) =>
  new Elysia({ prefix: "/api/operations" })
    .use(ctx.guard)
    .get("", () => ctx.operations.list(), { access: user("apps"), response: t.Array(Operation) })
    .get("/:id", ({ params }) => ctx.operations.get(params.id), {
      access: user("apps"),
      params: OperationParams,
      response: Operation,
    })
    .get(
      "/:id/events",
      ({ params, query, request, server }) => {
        ctx.operations.get(params.id);
        const from = resumeFrom(request, query.from);
        return sse(ctx, { request, server }, (signal) => ctx.operations.read(params.id, from, signal));
      },
      {
        access: admin("apps"),
        params: OperationParams,
        query: OperationEventsQuery,
        ...answersAs("text/event-stream"),
      },
    );
