/** Shapes of the panel's API, from the features' contracts. */
export type { AuthorizationQuery, Preflight } from "../../../src/panel/features/oauth/contract.ts";
export type { EnrollToken, TokenEntry } from "../../../src/panel/features/onboarding/contract.ts";
export type { Member } from "../../../src/panel/features/team/contract.ts";
export type { Mode, RoleName, User } from "../../../src/panel/features/tenants/contract.ts";
export type { WorkspaceSettings } from "../../../src/panel/features/workspace-settings/contract.ts";
export type { Workspace } from "../../../src/panel/features/workspaces/contract.ts";
