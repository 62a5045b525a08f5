/** Node logs: what a node's journal and its apps write, read through the session that the node holds. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { fail } from "./contract.ts";
import type { Needs } from "./needs.ts";
import { bindNodeLogRoutes } from "./routes.ts";

export { fail as nodeLogFail } from "./contract.ts";

export const nodeLogsFeature = defineFeature({ name: "node-logs", errors: fail.table });

export const createNodeLogs = (needs: Needs): Part => ({
  feature: nodeLogsFeature,
  routes: [bindNodeLogRoutes(needs)],
});
