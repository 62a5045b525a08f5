/** Shapes of the panel's API, from the features' contracts. */
export type { Member } from "../../../src/panel/features/team/contract.ts";
export type { Mode, RoleName, User } from "../../../src/panel/features/tenants/contract.ts";
export type { WorkspaceSettings } from "../../../src/panel/features/workspace-settings/contract.ts";
export type { Workspace } from "../../../src/panel/features/workspaces/contract.ts";

/** What a server needs to join: one line to run there. */
export interface EnrolToken {
  id: string;
  token: string;
  created_at: string;
  expires_at: string;
  cc_url: string;
  command: string;
}
