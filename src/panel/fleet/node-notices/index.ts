/** Node notices: what people should look at about a node, until one of them says that they know. */
import { defineFeature } from "../../../kernel/feature.ts";
import type { PanelContext } from "../../context.ts";
import { fail } from "./contract.ts";
import { nodeNoticeRoutes } from "./routes.ts";

export const nodeNotices = defineFeature<PanelContext>({
  name: "node-notices",
  requires: ["audit", "tenants", "sessions", "nodes", "fleet"],
  errors: fail.table,
  routes: nodeNoticeRoutes,
});
