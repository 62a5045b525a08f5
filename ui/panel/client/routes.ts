import type { BulkApi } from "../../../src/panel/changes/bulk-jobs/contract.ts";
import type { CommandApi } from "../../../src/panel/changes/commands/contract.ts";
import type { RolloutApi } from "../../../src/panel/changes/rollouts/contract.ts";
import type { FleetApi } from "../../../src/panel/fleet/fleet/contract.ts";
import type { FleetAlertApi } from "../../../src/panel/fleet/fleet-alerts/contract.ts";
import type { FleetGroupApi } from "../../../src/panel/fleet/fleet-groups/contract.ts";
import type { FleetIncidentApi } from "../../../src/panel/fleet/fleet-incidents/contract.ts";
import type { FleetOverviewApi } from "../../../src/panel/fleet/fleet-overview/contract.ts";
import type { NodeLogApi } from "../../../src/panel/fleet/node-logs/contract.ts";
import type { NodeNoticeApi } from "../../../src/panel/fleet/node-notices/contract.ts";
import type { NodeStateApi } from "../../../src/panel/fleet/node-states/contract.ts";
import type { NodeTerminalApi } from "../../../src/panel/fleet/node-terminals/contract.ts";
import type { OauthApi } from "../../../src/panel/fleet/oauth/contract.ts";
import type { OnboardingApi } from "../../../src/panel/fleet/onboarding/contract.ts";
import type { TerminalRecordingApi } from "../../../src/panel/fleet/terminal-recordings/contract.ts";
import type { AccountLinkApi } from "../../../src/panel/people/account-links/contract.ts";
import type { AccountApi } from "../../../src/panel/people/accounts/contract.ts";
import type { ChatChannelApi } from "../../../src/panel/people/chat-channels/contract.ts";
import type { EmailProofApi } from "../../../src/panel/people/email-proofs/contract.ts";
import type { FactorResetApi } from "../../../src/panel/people/factor-resets/contract.ts";
import type { FactorApi } from "../../../src/panel/people/factors/contract.ts";
import type { InvitationApi } from "../../../src/panel/people/invitations/contract.ts";
import type { NotificationApi } from "../../../src/panel/people/notifications/contract.ts";
import type { RegistrationApi } from "../../../src/panel/people/registration/contract.ts";
import type { ScimApi } from "../../../src/panel/people/scim/contract.ts";
import type { SignInApi } from "../../../src/panel/people/sign-ins/contract.ts";
import type { SsoApi } from "../../../src/panel/people/sso/contract.ts";
import type { StaffApi } from "../../../src/panel/people/staff/contract.ts";
import type { TeamApi } from "../../../src/panel/people/team/contract.ts";
import type { WorkspaceSettingsApi } from "../../../src/panel/people/workspace-settings/contract.ts";
import type { WorkspaceApi } from "../../../src/panel/people/workspaces/contract.ts";
import type { AuditLogApi } from "../../../src/panel/platform/audit-log/contract.ts";
import type { HealthApi } from "../../../src/panel/platform/health/contract.ts";
import type { SearchApi } from "../../../src/panel/platform/search/contract.ts";

/** Each call that a page of the panel can make: what goes in as JSON (`in`), what comes back (`out`). */
export type Routes = AccountApi &
  AccountLinkApi &
  AuditLogApi &
  BulkApi &
  CommandApi &
  EmailProofApi &
  FactorApi &
  FactorResetApi &
  FleetAlertApi &
  FleetApi &
  FleetGroupApi &
  FleetIncidentApi &
  FleetOverviewApi &
  HealthApi &
  NodeLogApi &
  NodeNoticeApi &
  NodeStateApi &
  NodeTerminalApi &
  InvitationApi &
  NotificationApi &
  OauthApi &
  OnboardingApi &
  RegistrationApi &
  RolloutApi &
  SearchApi &
  ScimApi &
  ChatChannelApi &
  TerminalRecordingApi &
  SignInApi &
  SsoApi &
  StaffApi &
  TeamApi &
  WorkspaceApi &
  WorkspaceSettingsApi;
