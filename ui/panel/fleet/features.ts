import type { Feature } from "../../shell/feature.ts";
import { fleetFeature } from "./fleet/feature.ts";
import { fleetAlertsFeature } from "./fleet-alerts/feature.ts";
import { fleetOverviewFeature } from "./fleet-overview/feature.ts";
import { onboardingFeature } from "./onboarding/feature.ts";

/** What the features of this area add to the page. */
export const fleetFeatures: Feature[] = [fleetFeature, fleetAlertsFeature, fleetOverviewFeature, onboardingFeature];
