import type { AccountApi } from "../../../src/panel/features/accounts/contract.ts";
import type { TeamApi } from "../../../src/panel/features/team/contract.ts";
import type { WorkspaceSettingsApi } from "../../../src/panel/features/workspace-settings/contract.ts";
import type { WorkspaceApi } from "../../../src/panel/features/workspaces/contract.ts";
import type { FleetRoutes } from "./fleet-routes.ts";
import type { EnrolToken } from "./types.ts";

/** Calls of onboarding. */
interface OwnRoutes {
  "POST /api/onboarding/enroll-token": { in: { ttl_minutes?: number }; out: EnrolToken };
}

/** Each call the panel's dashboard makes: what goes in as JSON (`in`), what comes back (`out`). */
export type Routes = AccountApi & FleetRoutes & OwnRoutes & TeamApi & WorkspaceApi & WorkspaceSettingsApi;
