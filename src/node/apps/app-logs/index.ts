/** App logs: what the containers of an app wrote, merged by time, read at once or followed. */
import { defineFeature } from "../../../kernel/feature.ts";
import type { NodeContext } from "../../context.ts";
import { appLogRoutes } from "./routes.ts";

export const appLogs = defineFeature<NodeContext>({
  name: "app-logs",
  requires: ["apps", "operations", "runtime"],
  routes: appLogRoutes,
});
