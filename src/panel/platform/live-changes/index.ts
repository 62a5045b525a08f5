/** Live changes: one stream a page, which says what to ask for anew. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { fail } from "./contract.ts";
import type { Needs } from "./needs.ts";
import { bindLiveChangesRoutes } from "./routes.ts";

export const liveChangesFeature = defineFeature({ name: "live-changes", errors: fail.table });

export const createLiveChanges = (needs: Needs): Part => ({
  feature: liveChangesFeature,
  routes: [bindLiveChangesRoutes(needs)],
});
