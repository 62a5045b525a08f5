import { kernelFail } from "../../../kernel/http/errors.ts";
import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { resumeFrom, sse } from "../../../kernel/http/sse.ts";
import { bindRoutes } from "../../route.ts";
import { APPLY, applySet } from "./apply.ts";
import { componentRoutes } from "./contract.ts";
import { listComponents } from "./list-components.ts";
import type { Own } from "./needs.ts";

/** What answers the routes of components. */
export const bindComponentRoutes = (own: Own): BoundRoutes =>
  bindRoutes(componentRoutes, {
    "GET /api/components": () => listComponents(own),
    "POST /api/components/apply": ({ actor, ip, body }) => applySet(own, { user_id: actor.user_id, ip }, body),
    "GET /api/components/ops/{id}/events": ({ params, query, request, server }) => {
      if (own.operations.get(params.id).kind !== APPLY) throw kernelFail("not_found");
      const from = resumeFrom(request, query.from);
      return sse(own, { request, server }, (signal) => own.operations.read(params.id, from, signal));
    },
  });
