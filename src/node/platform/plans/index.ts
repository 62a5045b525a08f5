/** Plans: which plan this node is on, who decides it, and what each plan includes. */
import { defineFeature } from "../../../kernel/feature.ts";
import type { NodeContext } from "../../context.ts";
import { planRoutes } from "./routes.ts";

export const plans = defineFeature<NodeContext>({
  name: "plans",
  requires: ["apps", "panel-link"],
  routes: planRoutes,
});
