/** Onboarding: tokens that let servers in, waiting for a new one to show up, and letting one go. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { fail } from "./contract.ts";
import { onboardingMeanings } from "./events.ts";
import { createFirstHeartbeats } from "./first-heartbeat.ts";
import type { Needs } from "./needs.ts";
import { bindOnboardingRoutes } from "./routes.ts";
import { revokeAll } from "./tokens.ts";

export const onboardingFeature = defineFeature({ name: "onboarding", errors: fail.table, events: onboardingMeanings });

export function createOnboarding(needs: Needs): Part {
  needs.lists.grants.add((_, ousted) => revokeAll(needs, ousted));
  const own = { ...needs, firstHeartbeats: createFirstHeartbeats(needs) };
  return { feature: onboardingFeature, routes: [bindOnboardingRoutes(own)] };
}
