import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { sse } from "../../../kernel/http/sse.ts";
import { bindRoutes } from "../../route.ts";
import { liveChangesRoutes } from "./contract.ts";
import type { Needs } from "./needs.ts";
import { tellChanges } from "./tell.ts";

/** What answers the stream of changes. */
export const bindLiveChangesRoutes = (needs: Needs): BoundRoutes =>
  bindRoutes(liveChangesRoutes, {
    "GET /api/changes": ({ actor, request, server }) =>
      sse({ ...needs, accessChanges: needs.accessEnds.of(actor) }, { request, server }, (signal) =>
        tellChanges(needs.lists.changes.all(), actor, needs.clock, signal),
      ),
  });
