import type { Feature } from "../../shell/feature.ts";
import { fleetFeature } from "./fleet/feature.ts";
import { fleetOverviewFeature } from "./fleet-overview/feature.ts";
import { onboardingFeature } from "./onboarding/feature.ts";

/** What this area brings to the page. */
export const fleetFeatures: Feature[] = [fleetFeature, fleetOverviewFeature, onboardingFeature];
