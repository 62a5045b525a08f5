import type { AccountApi } from "../../../src/panel/features/accounts/contract.ts";
import type { AuditApi } from "../../../src/panel/features/audit-log/contract.ts";
import type { NodeNoticeApi } from "../../../src/panel/features/node-notices/contract.ts";
import type { ConsentApi } from "../../../src/panel/features/oauth/contract.ts";
import type { OnboardingApi } from "../../../src/panel/features/onboarding/contract.ts";
import type { TeamApi } from "../../../src/panel/features/team/contract.ts";
import type { WorkspaceSettingsApi } from "../../../src/panel/features/workspace-settings/contract.ts";
import type { WorkspaceApi } from "../../../src/panel/features/workspaces/contract.ts";
import type { FleetRoutes } from "./fleet-routes.ts";

/** Each call the panel's dashboard makes: what goes in as JSON (`in`), what comes back (`out`). */
export type Routes = AccountApi &
  AuditApi &
  ConsentApi &
  FleetRoutes &
  NodeNoticeApi &
  OnboardingApi &
  TeamApi &
  WorkspaceApi &
  WorkspaceSettingsApi;
