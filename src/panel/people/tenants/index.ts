/** Tenants: accounts, workspaces and the memberships between them. */
import { defineContextFeature } from "../../context.ts";
import { fail } from "./contract.ts";
import { tenantMeanings } from "./events.ts";
import init from "./migrations/0001_tenants.sql" with { type: "text" };

export { changePlan } from "./change-plan.ts";
export { fail as tenantFail, User } from "./contract.ts";
export { createWorkspace } from "./create-workspace.ts";
export { findOwnClient, listOwnClients } from "./find-client.ts";
export { presentUser } from "./present.ts";
export {
  countOwners,
  deleteMember,
  disableMember,
  findAccount,
  findAccountById,
  findMembership,
  findPlan,
  insertAccount,
  listMemberships,
  listWorkspaces,
  lockAccount,
  lockMembers,
  type MembershipRow,
  touchMember,
  updateDisplayName,
  updateOnboardingCompleted,
  updatePasswordHash,
} from "./store.ts";

export const tenants = defineContextFeature({
  name: "tenants",
  migrations: [init],
  errors: fail.table,
  events: tenantMeanings,
});
