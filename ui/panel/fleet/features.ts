import type { Feature } from "../../shell/feature.ts";
import { fleetFeature } from "./fleet/feature.ts";
import { fleetAlertsFeature } from "./fleet-alerts/feature.ts";
import { fleetIncidentsFeature } from "./fleet-incidents/feature.ts";
import { fleetOverviewFeature } from "./fleet-overview/feature.ts";
import { nodeLogsFeature } from "./node-logs/feature.ts";
import { nodeTerminalsFeature } from "./node-terminals/feature.ts";
import { onboardingFeature } from "./onboarding/feature.ts";
import { terminalRecordingsFeature } from "./terminal-recordings/feature.ts";

/** What the features of this area add to the page. */
export const fleetFeatures: Feature[] = [
  fleetFeature,
  fleetAlertsFeature,
  fleetIncidentsFeature,
  fleetOverviewFeature,
  nodeLogsFeature,
  nodeTerminalsFeature,
  onboardingFeature,
  terminalRecordingsFeature,
];
