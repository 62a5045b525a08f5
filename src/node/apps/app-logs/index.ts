/** App logs: what the containers of an app wrote, merged by time, read at once or followed. */
import { defineContextFeature } from "../../../kernel/feature.ts";
import type { NodeContext } from "../../context.ts";
import { appLogRoutes } from "./routes.ts";

export const appLogs = defineContextFeature<NodeContext>({
  name: "app-logs",
  routes: appLogRoutes,
});
