import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { bindRoutes } from "../../route.ts";
import { appStatsRoutes } from "./contract.ts";
import type { StatsReader } from "./sample.ts";

/** What answers the routes of figures. */
export const bindAppStatsRoutes = (reader: StatsReader): BoundRoutes =>
  bindRoutes(appStatsRoutes, {
    "GET /api/apps/{id}/stats": ({ params }) => reader.read(params.id),
  });
