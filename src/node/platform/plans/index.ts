/** Plans: which plan this node is on, who decides it, and what each plan includes. */
import { defineContextFeature } from "../../../kernel/feature.ts";
import type { NodeContext } from "../../context.ts";
import { planRoutes } from "./routes.ts";

export const plans = defineContextFeature<NodeContext>({
  name: "plans",
  routes: planRoutes,
});
