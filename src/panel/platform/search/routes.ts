import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { sse } from "../../../kernel/http/sse.ts";
import { bindRoutes } from "../../route.ts";
import { searchRoutes } from "./contract.ts";
import { searchAll, searchOn } from "./logic.ts";
import type { Needs } from "./needs.ts";

/** What answers the search. */
export const bindSearchRoutes = (needs: Needs): BoundRoutes =>
  bindRoutes(searchRoutes, {
    "GET /api/search/global": ({ actor, query }) => searchAll(needs, actor, query),
    "GET /api/search/stream": ({ actor, query, request, server }) =>
      sse({ ...needs, accessChanges: needs.accessEnds.of(actor) }, { request, server }, (signal) =>
        searchOn(needs, actor, query, signal),
      ),
  });
