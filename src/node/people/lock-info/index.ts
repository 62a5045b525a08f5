/** Lock info: the few facts that the lock screen and the installer's health check read without signing in. */
import { defineContextFeature } from "../../../kernel/feature.ts";
import type { NodeContext } from "../../context.ts";
import { lockInfoRoutes } from "./routes.ts";

export const lockInfo = defineContextFeature<NodeContext>({
  name: "lock-info",
  routes: lockInfoRoutes,
});
