/** Health: the one answer without credentials that tells the installer and load balancers that the panel is there. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import type { Needs } from "./needs.ts";
import { createPulse, type Pulse } from "./pulse.ts";
import { bindHealthRoutes } from "./routes.ts";
import { askDatabase } from "./store.ts";

export const healthFeature = defineFeature({ name: "health" });

export interface Health extends Part, Pick<Pulse, "isAlive"> {}

export const createHealth = (needs: Needs): Health => ({
  feature: healthFeature,
  routes: [bindHealthRoutes(needs)],
  ...createPulse(() => askDatabase(needs.system), needs.clock, needs.log),
});
