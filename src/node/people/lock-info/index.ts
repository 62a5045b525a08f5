/** Lock info: the few facts that the lock screen and the installer's health check read without signing in. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import type { Needs } from "./needs.ts";
import { bindLockInfoRoutes } from "./routes.ts";

export const lockInfoFeature = defineFeature({ name: "lock-info" });

export const createLockInfo = (needs: Needs): Part => ({
  feature: lockInfoFeature,
  routes: [bindLockInfoRoutes(needs)],
});
