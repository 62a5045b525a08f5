import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { bindRoutes } from "../../route.ts";
import { timelineRoutes } from "./contract.ts";
import { readEverything, readInbox, readItem } from "./inbox.ts";
import type { Needs } from "./needs.ts";
import { readStats, readTimeline } from "./read.ts";

/** What answers the routes of the timeline and the inbox. */
export const bindTimelineRoutes = (needs: Needs): BoundRoutes =>
  bindRoutes(timelineRoutes, {
    "GET /api/timeline": ({ actor, query }) => readTimeline(needs, actor, query),
    "GET /api/timeline/stats": ({ actor, query }) => readStats(needs, actor, query),
    "GET /api/inbox": ({ actor, query }) => readInbox(needs, actor, query),
    "POST /api/inbox/read": ({ actor }) => readEverything(needs, actor),
    "POST /api/inbox/{id}/read": ({ actor, params }) => readItem(needs, actor, params.id),
  });
