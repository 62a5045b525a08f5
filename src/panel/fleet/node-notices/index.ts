/** Node notices: what people should look at about a node, until one of them says that they know. */
import { defineContextFeature } from "../../context.ts";
import { fail } from "./contract.ts";
import { nodeNoticeMeanings } from "./events.ts";
import { nodeNoticeRoutes } from "./routes.ts";

export const nodeNotices = defineContextFeature({
  name: "node-notices",
  errors: fail.table,
  routes: nodeNoticeRoutes,
  events: nodeNoticeMeanings,
});
