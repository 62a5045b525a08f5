import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { resumeFrom, sse } from "../../../kernel/http/sse.ts";
import { bindRoutes } from "../../route.ts";
import { operationRoutes } from "./contract.ts";
import type { OperationBook } from "./logic.ts";
import type { Needs } from "./needs.ts";

/** What answers the routes of operations. */
export const bindOperationRoutes = (needs: Needs, book: OperationBook): BoundRoutes =>
  bindRoutes(operationRoutes, {
    "GET /api/operations": () => book.list(),
    "GET /api/operations/{id}": ({ params }) => book.get(params.id),
    "GET /api/operations/{id}/events": ({ params, query, request, server }) => {
      book.get(params.id);
      const from = resumeFrom(request, query.from);
      return sse(needs, { request, server }, (signal) => book.read(params.id, from, signal));
    },
  });
