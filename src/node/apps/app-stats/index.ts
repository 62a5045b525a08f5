/** App stats: what the containers of an app use now, by the kernel's own accounting. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import type { Needs } from "./needs.ts";
import { bindAppStatsRoutes } from "./routes.ts";
import { createStatsReader } from "./sample.ts";

export { createPidFinder, type Processes } from "./pids.ts";

export const appStatsFeature = defineFeature({ name: "app-stats" });

export const createAppStats = (needs: Needs): Part => ({
  feature: appStatsFeature,
  routes: [bindAppStatsRoutes(createStatsReader(needs))],
});
