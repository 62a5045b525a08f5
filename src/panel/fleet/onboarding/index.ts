/** Onboarding: tokens that let servers in, waiting for a new one to show up, and letting one go. */
import { defineContextFeature } from "../../../kernel/feature.ts";
import type { PanelContext } from "../../context.ts";
import { fail } from "./contract.ts";
import { onboardingRoutes } from "./routes.ts";

export const onboarding = defineContextFeature<PanelContext>({
  name: "onboarding",
  errors: fail.table,
  routes: onboardingRoutes,
});
