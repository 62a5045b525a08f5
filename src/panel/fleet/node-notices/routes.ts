import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { bindRoutes } from "../../route.ts";
import { nodeNoticeRoutes } from "./contract.ts";
import { acknowledgeNotice, readNotices } from "./logic.ts";
import type { Needs } from "./needs.ts";

/** What answers the routes of notices. */
export const bindNodeNoticeRoutes = (needs: Needs): BoundRoutes =>
  bindRoutes(nodeNoticeRoutes, {
    "GET /api/fleet/instances/{id}/notices": ({ actor, params }) => readNotices(needs, actor, params.id),
    "POST /api/fleet/notices/{id}/acknowledge": ({ actor, ip, params }) =>
      acknowledgeNotice(needs, actor, ip, params.id),
  });
