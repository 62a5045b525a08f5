import type { NodeNoticeApi } from "../../../src/panel/fleet/node-notices/contract.ts";
import type { ConsentApi } from "../../../src/panel/fleet/oauth/contract.ts";
import type { OnboardingApi } from "../../../src/panel/fleet/onboarding/contract.ts";
import type { AccountApi } from "../../../src/panel/people/accounts/contract.ts";
import type { TeamApi } from "../../../src/panel/people/team/contract.ts";
import type { WorkspaceSettingsApi } from "../../../src/panel/people/workspace-settings/contract.ts";
import type { WorkspaceApi } from "../../../src/panel/people/workspaces/contract.ts";
import type { AuditLogApi } from "../../../src/panel/platform/audit-log/contract.ts";
import type { FleetRoutes } from "./fleet-routes.ts";

/** Each call the panel's dashboard makes: what goes in as JSON (`in`), what comes back (`out`). */
export type Routes = AccountApi &
  AuditLogApi &
  ConsentApi &
  FleetRoutes &
  NodeNoticeApi &
  OnboardingApi &
  TeamApi &
  WorkspaceApi &
  WorkspaceSettingsApi;
