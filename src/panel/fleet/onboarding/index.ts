/** Onboarding: tokens that let servers in, waiting for a new one to show up, and letting one go. */
import { defineContextFeature } from "../../context.ts";
import { fail } from "./contract.ts";
import { onboardingMeanings } from "./events.ts";
import { onboardingRoutes } from "./routes.ts";

export const onboarding = defineContextFeature({
  name: "onboarding",
  errors: fail.table,
  routes: onboardingRoutes,
  events: onboardingMeanings,
});
