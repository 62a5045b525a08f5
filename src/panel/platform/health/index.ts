/** Health: the one answer without credentials that tells the installer and load balancers that the panel is there. */
import { defineContextFeature } from "../../../kernel/feature.ts";
import type { PanelContext } from "../../context.ts";
import { healthRoutes } from "./routes.ts";

export { createPulse } from "./pulse.ts";
export { askDatabase } from "./store.ts";

export const health = defineContextFeature<PanelContext>({ name: "health", routes: healthRoutes });
