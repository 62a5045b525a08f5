/** The fleet of a workspace: its nodes as people see, order, enrol and enter them. */
import type { Part } from "../../kernel/feature.ts";
import type { PanelFeature } from "../event-meaning.ts";
import { createFleet, fleetFeature } from "./fleet/index.ts";
import type { Needs as FleetNeeds } from "./fleet/needs.ts";
import { createFleetAlerts, fleetAlertsFeature } from "./fleet-alerts/index.ts";
import type { Needs as AlertNeeds } from "./fleet-alerts/needs.ts";
import { createFleetGroups, fleetGroupsFeature } from "./fleet-groups/index.ts";
import type { Needs as GroupNeeds } from "./fleet-groups/needs.ts";
import { createFleetOverview, fleetOverviewFeature } from "./fleet-overview/index.ts";
import type { Needs as OverviewNeeds } from "./fleet-overview/needs.ts";
import { createFleetRecords, fleetRecordsFeature } from "./fleet-records/index.ts";
import type { Needs as RecordNeeds } from "./fleet-records/needs.ts";
import { createNodeNotices, nodeNoticesFeature } from "./node-notices/index.ts";
import type { Needs as NoticeNeeds } from "./node-notices/needs.ts";
import { createNodeStates, nodeStatesFeature } from "./node-states/index.ts";
import type { Needs as StateNeeds } from "./node-states/needs.ts";
import { createOauth, oauthFeature } from "./oauth/index.ts";
import type { Needs as OauthNeeds } from "./oauth/needs.ts";
import { createOnboarding, onboardingFeature } from "./onboarding/index.ts";
import type { Needs as OnboardingNeeds } from "./onboarding/needs.ts";

/** The static halves of the area, in boot order. */
export const fleetFeatures = [
  fleetFeature,
  fleetAlertsFeature,
  fleetRecordsFeature,
  fleetOverviewFeature,
  fleetGroupsFeature,
  nodeNoticesFeature,
  nodeStatesFeature,
  oauthFeature,
  onboardingFeature,
] as const satisfies readonly PanelFeature[];

/** What the area makes itself. */
type Made = "fleet" | "records";

type Needs = Omit<
  AlertNeeds &
    FleetNeeds &
    GroupNeeds &
    NoticeNeeds &
    OauthNeeds &
    OnboardingNeeds &
    OverviewNeeds &
    RecordNeeds &
    StateNeeds,
  Made
>;

/** Makes the features of the area; the order of the lines is the boot order. */
export function wireFleet(base: Needs) {
  const fleet = createFleet(base);
  const alerts = createFleetAlerts(base);
  const records = createFleetRecords({ ...base, fleet });
  const overview = createFleetOverview({ ...base, fleet, records });
  const groups = createFleetGroups(base);
  const notices = createNodeNotices(base);
  const states = createNodeStates(base);
  const oauth = createOauth(base);
  const onboarding = createOnboarding(base);
  return {
    parts: [fleet, alerts, records, overview, groups, notices, states, oauth, onboarding] satisfies readonly Part[],
  };
}
