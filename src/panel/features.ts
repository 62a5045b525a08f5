import { agentFeatures } from "./agents/wire.ts";
import { commands } from "./changes/commands/index.ts";
import type { PanelContextFeature } from "./context.ts";
import type { PanelFeature } from "./event-meaning.ts";
import { fleet } from "./fleet/fleet/index.ts";
import { fleetGroups } from "./fleet/fleet-groups/index.ts";
import { fleetOverview } from "./fleet/fleet-overview/index.ts";
import { fleetRecords } from "./fleet/fleet-records/index.ts";
import { nodeNotices } from "./fleet/node-notices/index.ts";
import { oauth } from "./fleet/oauth/index.ts";
import { onboarding } from "./fleet/onboarding/index.ts";
import { peopleFeatures } from "./people/wire.ts";
import { platformFeatures } from "./platform/wire.ts";

/** Features that are given the whole context, in boot order. */
export const contextFeatures: readonly PanelContextFeature[] = [
  oauth,
  fleet,
  fleetRecords,
  fleetOverview,
  fleetGroups,
  nodeNotices,
  onboarding,
  commands,
];

/** The static halves of every feature of the panel, in boot order. */
export const panelFeatures: readonly PanelFeature[] = [
  ...platformFeatures,
  ...peopleFeatures,
  ...agentFeatures,
  ...contextFeatures,
];
