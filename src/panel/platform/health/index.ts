/** Health: the one answer without credentials that tells the installer and load balancers that the panel is there. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import type { Needs } from "./needs.ts";
import { createPulse, type Pulse } from "./pulse.ts";
import { bindHealthRoutes } from "./routes.ts";
import { askDatabase } from "./store.ts";

export const healthFeature = defineFeature({ name: "health" });

export interface Health extends Part, Pick<Pulse, "isAlive"> {}

export function createHealth(needs: Needs): Health {
  const pulse = createPulse(() => askDatabase(needs.system), needs.clock, needs.log);
  needs.lists.measures.add(() => [
    {
      name: "orrery_panel_database_up",
      help: "Whether the database answered within the last 20 seconds",
      type: "gauge",
      figures: [{ value: pulse.isAlive() ? 1 : 0 }],
    },
  ]);
  return { feature: healthFeature, routes: [bindHealthRoutes(needs)], ...pulse };
}
