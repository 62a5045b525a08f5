/** The fleet of a workspace: its nodes as people see, order, enrol and enter them. */
import type { Part } from "../../kernel/feature.ts";
import type { PanelFeature } from "../event-meaning.ts";
import { createFleet, fleetFeature } from "./fleet/index.ts";
import type { Needs as FleetNeeds } from "./fleet/needs.ts";
import { createFleetAlerts, fleetAlertsFeature } from "./fleet-alerts/index.ts";
import type { Needs as AlertNeeds } from "./fleet-alerts/needs.ts";
import { createFleetGroups, fleetGroupsFeature } from "./fleet-groups/index.ts";
import type { Needs as GroupNeeds } from "./fleet-groups/needs.ts";
import { createFleetIncidents, fleetIncidentsFeature } from "./fleet-incidents/index.ts";
import type { Needs as IncidentNeeds } from "./fleet-incidents/needs.ts";
import { createFleetOverview, fleetOverviewFeature } from "./fleet-overview/index.ts";
import type { Needs as OverviewNeeds } from "./fleet-overview/needs.ts";
import { createFleetRecords, fleetRecordsFeature } from "./fleet-records/index.ts";
import type { Needs as RecordNeeds } from "./fleet-records/needs.ts";
import { createNodeLogs, nodeLogsFeature } from "./node-logs/index.ts";
import type { Needs as LogNeeds } from "./node-logs/needs.ts";
import { createNodeNotices, nodeNoticesFeature } from "./node-notices/index.ts";
import type { Needs as NoticeNeeds } from "./node-notices/needs.ts";
import { createNodeSearch, nodeSearchFeature } from "./node-search/index.ts";
import type { Needs as NodeSearchNeeds } from "./node-search/needs.ts";
import { createNodeStates, nodeStatesFeature } from "./node-states/index.ts";
import type { Needs as StateNeeds } from "./node-states/needs.ts";
import { createNodeTerminals, nodeTerminalsFeature } from "./node-terminals/index.ts";
import type { Needs as TerminalNeeds } from "./node-terminals/needs.ts";
import { createOauth, oauthFeature } from "./oauth/index.ts";
import type { Needs as OauthNeeds } from "./oauth/needs.ts";
import { createOnboarding, onboardingFeature } from "./onboarding/index.ts";
import type { Needs as OnboardingNeeds } from "./onboarding/needs.ts";
import { createTerminalRecordings, terminalRecordingsFeature } from "./terminal-recordings/index.ts";
import type { Needs as RecordingNeeds } from "./terminal-recordings/needs.ts";

/** The static halves of the area, in boot order. */
export const fleetFeatures = [
  fleetFeature,
  fleetAlertsFeature,
  fleetIncidentsFeature,
  fleetRecordsFeature,
  fleetOverviewFeature,
  fleetGroupsFeature,
  nodeLogsFeature,
  nodeNoticesFeature,
  nodeSearchFeature,
  nodeStatesFeature,
  terminalRecordingsFeature,
  nodeTerminalsFeature,
  oauthFeature,
  onboardingFeature,
] as const satisfies readonly PanelFeature[];

/** What the area makes itself. */
type Made = "fleet" | "records" | "recordings";

type Needs = Omit<
  AlertNeeds &
    FleetNeeds &
    GroupNeeds &
    IncidentNeeds &
    LogNeeds &
    NodeSearchNeeds &
    NoticeNeeds &
    OauthNeeds &
    OnboardingNeeds &
    OverviewNeeds &
    RecordNeeds &
    RecordingNeeds &
    StateNeeds &
    TerminalNeeds,
  Made
>;

/** Makes the features of the area; the order of the lines is the boot order. */
export function wireFleet(base: Needs) {
  const fleet = createFleet(base);
  const alerts = createFleetAlerts(base);
  const incidents = createFleetIncidents(base);
  const records = createFleetRecords({ ...base, fleet });
  const overview = createFleetOverview({ ...base, fleet, records });
  const groups = createFleetGroups(base);
  const logs = createNodeLogs(base);
  const notices = createNodeNotices(base);
  const search = createNodeSearch(base);
  const states = createNodeStates(base);
  const recordings = createTerminalRecordings(base);
  const terminals = createNodeTerminals({ ...base, recordings });
  const oauth = createOauth(base);
  const onboarding = createOnboarding(base);
  return {
    fleet,
    parts: [
      fleet,
      alerts,
      incidents,
      records,
      overview,
      groups,
      logs,
      notices,
      search,
      states,
      recordings,
      terminals,
      oauth,
      onboarding,
    ] satisfies readonly Part[],
  };
}
