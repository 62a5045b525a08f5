/** Shapes of the panel's API, from the features' contracts. */
export type { AuthorizationQuery, Preflight } from "../../../src/panel/fleet/oauth/contract.ts";
export type { EnrollToken, TokenEntry } from "../../../src/panel/fleet/onboarding/contract.ts";
export type { Invitation } from "../../../src/panel/people/invitations/contract.ts";
export type { Member, MemberPresence, TeamMember } from "../../../src/panel/people/team/contract.ts";
export type { Mode, RoleName, User } from "../../../src/panel/people/tenants/contract.ts";
export type { Workspace } from "../../../src/panel/people/workspaces/contract.ts";
