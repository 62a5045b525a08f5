import type { NodeEvents } from "./agents/nodes/events.ts";
import type { CommandEvents } from "./changes/commands/contract.ts";
import type { FleetGroupEvents } from "./fleet/fleet-groups/contract.ts";
import type { NodeNoticeEvents } from "./fleet/node-notices/contract.ts";
import type { OauthEvents } from "./fleet/oauth/contract.ts";
import type { OnboardingEvents } from "./fleet/onboarding/contract.ts";
import type { AccountEvents } from "./people/accounts/contract.ts";
import type { TeamEvents } from "./people/team/contract.ts";
import type { TenantEvents } from "./people/tenants/contract.ts";
import type { WorkspaceSettingsEvents } from "./people/workspace-settings/contract.ts";
import type { WorkspaceEvents } from "./people/workspaces/contract.ts";

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
