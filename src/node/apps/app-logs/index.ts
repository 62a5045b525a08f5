/** App logs: what the containers of an app wrote, merged by time, read at once or followed. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { fail } from "./contract.ts";
import type { Needs } from "./needs.ts";
import { bindAppLogRoutes } from "./routes.ts";

export { createMatcher, type LineFilter, toLineFilter } from "./filter.ts";
export { detectLevel, stripColours } from "./level.ts";
export { readNewest } from "./newest-lines.ts";
export { readNewestOf, toSince } from "./read-lines.ts";
export { findHits, type Hit } from "./search-lines.ts";

export const appLogsFeature = defineFeature({ name: "app-logs", errors: fail.table });

export const createAppLogs = (needs: Needs): Part => ({
  feature: appLogsFeature,
  routes: [bindAppLogRoutes(needs)],
});
