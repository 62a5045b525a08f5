/** Lock info: the few facts that the lock screen and the installer's health check read without signing in. */
import { defineFeature } from "../../../kernel/feature.ts";
import type { NodeContext } from "../../context.ts";
import { lockInfoRoutes } from "./routes.ts";

export const lockInfo = defineFeature<NodeContext>({
  name: "lock-info",
  requires: ["auth", "users", "passkeys", "approvals", "apps", "system"],
  routes: lockInfoRoutes,
});
