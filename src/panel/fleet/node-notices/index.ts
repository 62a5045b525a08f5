/** Node notices: what people should look at about a node, until one of them says that they know. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { fail } from "./contract.ts";
import { nodeNoticeMeanings } from "./events.ts";
import type { Needs } from "./needs.ts";
import { bindNodeNoticeRoutes } from "./routes.ts";

export const nodeNoticesFeature = defineFeature({
  name: "node-notices",
  errors: fail.table,
  events: nodeNoticeMeanings,
});

export function createNodeNotices(needs: Needs): Part {
  return { feature: nodeNoticesFeature, routes: [bindNodeNoticeRoutes(needs)] };
}
