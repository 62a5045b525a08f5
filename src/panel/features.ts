import type { NodeEvents } from "./agents/nodes/events.ts";
import { agentFeatures } from "./agents/wire.ts";
import type { CommandEvents } from "./changes/commands/contract.ts";
import { changeFeatures } from "./changes/wire.ts";
import type { PanelFeature } from "./event-meaning.ts";
import type { FleetGroupEvents } from "./fleet/fleet-groups/contract.ts";
import type { NodeNoticeEvents } from "./fleet/node-notices/contract.ts";
import type { OauthEvents } from "./fleet/oauth/contract.ts";
import type { OnboardingEvents } from "./fleet/onboarding/contract.ts";
import { fleetFeatures } from "./fleet/wire.ts";
import type { AccountEvents } from "./people/accounts/contract.ts";
import type { TeamEvents } from "./people/team/contract.ts";
import type { TenantEvents } from "./people/tenants/contract.ts";
import { peopleFeatures } from "./people/wire.ts";
import type { WorkspaceSettingsEvents } from "./people/workspace-settings/contract.ts";
import type { WorkspaceEvents } from "./people/workspaces/contract.ts";
import { platformFeatures } from "./platform/wire.ts";

/** The static halves of every feature of the panel, in boot order. */
export const panelFeatures: readonly PanelFeature[] = [
  ...platformFeatures,
  ...peopleFeatures,
  ...agentFeatures,
  ...fleetFeatures,
  ...changeFeatures,
];

/** Every event of the panel's bus. */
export type PanelEvents = AccountEvents &
  CommandEvents &
  FleetGroupEvents &
  NodeEvents &
  NodeNoticeEvents &
  OauthEvents &
  OnboardingEvents &
  TeamEvents &
  TenantEvents &
  WorkspaceEvents &
  WorkspaceSettingsEvents;
