/** Node notices: what people should look at about a node, until one of them says that they know. */
import { defineContextFeature } from "../../../kernel/feature.ts";
import type { PanelContext } from "../../context.ts";
import { fail } from "./contract.ts";
import { nodeNoticeRoutes } from "./routes.ts";

export const nodeNotices = defineContextFeature<PanelContext>({
  name: "node-notices",
  errors: fail.table,
  routes: nodeNoticeRoutes,
});
