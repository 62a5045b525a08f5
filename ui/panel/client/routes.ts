import type { CommandApi } from "../../../src/panel/changes/commands/contract.ts";
import type { FleetApi } from "../../../src/panel/fleet/fleet/contract.ts";
import type { FleetAlertApi } from "../../../src/panel/fleet/fleet-alerts/contract.ts";
import type { FleetGroupApi } from "../../../src/panel/fleet/fleet-groups/contract.ts";
import type { FleetOverviewApi } from "../../../src/panel/fleet/fleet-overview/contract.ts";
import type { NodeNoticeApi } from "../../../src/panel/fleet/node-notices/contract.ts";
import type { NodeStateApi } from "../../../src/panel/fleet/node-states/contract.ts";
import type { OauthApi } from "../../../src/panel/fleet/oauth/contract.ts";
import type { OnboardingApi } from "../../../src/panel/fleet/onboarding/contract.ts";
import type { AccountLinkApi } from "../../../src/panel/people/account-links/contract.ts";
import type { AccountApi } from "../../../src/panel/people/accounts/contract.ts";
import type { RegistrationApi } from "../../../src/panel/people/registration/contract.ts";
import type { TeamApi } from "../../../src/panel/people/team/contract.ts";
import type { WorkspaceSettingsApi } from "../../../src/panel/people/workspace-settings/contract.ts";
import type { WorkspaceApi } from "../../../src/panel/people/workspaces/contract.ts";
import type { AuditLogApi } from "../../../src/panel/platform/audit-log/contract.ts";
import type { SearchApi } from "../../../src/panel/platform/search/contract.ts";

/** Each call that a page of the panel can make: what goes in as JSON (`in`), what comes back (`out`). */
export type Routes = AccountApi &
  AccountLinkApi &
  AuditLogApi &
  CommandApi &
  FleetAlertApi &
  FleetApi &
  FleetGroupApi &
  FleetOverviewApi &
  NodeNoticeApi &
  NodeStateApi &
  OauthApi &
  OnboardingApi &
  RegistrationApi &
  SearchApi &
  TeamApi &
  WorkspaceApi &
  WorkspaceSettingsApi;
