/** Tenants: accounts, workspaces and the memberships between them. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import type { Measure } from "../../../kernel/prometheus.ts";
import { days, minutes } from "../../../lib/duration.ts";
import type { Actor } from "../../actor.ts";
import type { SystemDb, SystemTx, TenantTx } from "../../data/tenant-db.ts";
import type { Language } from "../../languages.ts";
import type { Plan } from "../../plans.ts";
import { hasRoomForAddress, maySpareAddress, updateEmail } from "./address-store.ts";
import { changePlan } from "./change-plan.ts";
import { fail } from "./contract.ts";
import { createWorkspace, type MadeWorkspace, type NewWorkspace } from "./create-workspace.ts";
import { tenantMeanings } from "./events.ts";
import { forgetAccounts } from "./forget-accounts-store.ts";
import * as languages from "./language-store.ts";
import { leaveBehind } from "./leave-behind.ts";
import init from "./migrations/0001_tenants.sql" with { type: "text" };
import factors from "./migrations/0002_factors.sql" with { type: "text" };
import workspaceSignIn from "./migrations/0003_workspace_sign_in.sql" with { type: "text" };
import membersByAge from "./migrations/0004_members_by_age.sql" with { type: "text" };
import languageColumns from "./migrations/0005_languages.sql" with { type: "text" };
import releasedAddresses from "./migrations/0006_released_addresses.sql" with { type: "text" };
import accountsWithoutPassword from "./migrations/0007_accounts_without_password.sql" with { type: "text" };
import removedMembers from "./migrations/0008_removed_members.sql" with { type: "text" };
import removedMarks from "./migrations/0009_removed_marks.sql" with { type: "text" };
import letInAt from "./migrations/0010_let_in.sql" with { type: "text" };
import deletedWorkspaces from "./migrations/0011_deleted_workspaces.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import { releaseAddress } from "./release-address.ts";
import { renewForms } from "./renew-forms.ts";
import { listOtherOwners, listStakes, type Stake } from "./stakes-store.ts";
import * as store from "./store.ts";
import { withOwnClient } from "./with-own-client.ts";

export { createTenantCommands, type TenantCommandNeeds } from "./commands.ts";
export { fail as tenantFail } from "./contract.ts";
export { endOffers } from "./end-offers.ts";
export { listKnownAs } from "./known-as-store.ts";
export { presentUser } from "./present.ts";
export {
  forgetRemoval,
  isRemoved,
  judgeRemoval,
  letIn,
  markOf,
  rememberRemoval,
} from "./removed-store.ts";
export type { Stake } from "./stakes-store.ts";
export { type AccountRow, IS_EXEMPT, lockWorkspace, type MembershipRow, NO_PASSWORD, type Touch } from "./store.ts";

export const tenantsFeature = defineFeature({
  name: "tenants",
  migrations: [
    init,
    factors,
    workspaceSignIn,
    membersByAge,
    languageColumns,
    releasedAddresses,
    accountsWithoutPassword,
    removedMembers,
    removedMarks,
    letInAt,
    deletedWorkspaces,
  ],
  errors: fail.table,
  events: tenantMeanings,
});

/** What belongs to no single workspace. What only reads does so in the transaction that it is given, or outside of any. */
export interface Tenants
  extends Part,
    Pick<
      typeof store,
      | "countClients"
      | "countOwners"
      | "deleteMember"
      | "disableMember"
      | "findFactorDuty"
      | "insertAccount"
      | "insertMember"
      | "isEmailVerified"
      | "lockAccount"
      | "lockMembers"
      | "touchMembers"
      | "updateDisplayName"
      | "updateHasFactor"
      | "updateEmailVerified"
      | "updateOnboardingCompleted"
      | "updatePasswordHash"
      | "updateStaff"
    > {
  /**
   * How somebody is written to, by their address: for a letter of a workspace, or with null of none; `wanted` is what whoever has it
   * written asks for.
   */
  findReader(
    email: string,
    tenantId: string | null,
    wanted?: Language | null,
    tx?: SystemTx,
  ): Promise<languages.Reader>;
  /** The language that somebody chose, and what holds in a workspace for as long as they choose none. */
  findLanguages(email: string, tenantId: string): Promise<{ language: Language | null; otherwise: Language }>;
  updateLanguage: typeof languages.updateLanguage;
  findMembership(tenantId: string, memberId: string, db?: SystemDb | SystemTx): Promise<store.MembershipRow | null>;
  /** The workspace that signing in leads to: of those that the account may enter the one used last; null when there is none. */
  findOpenMembership(accountId: string, tx: SystemTx): Promise<store.MembershipRow | null>;
  /** All memberships of an account, the one used last first. */
  listMemberships(accountId: string, tx?: SystemTx): Promise<store.MembershipRow[]>;
  /** The account with an address, in whatever form it is written. */
  findAccount(email: string, tx?: SystemTx): Promise<store.AccountRow | null>;
  /** The account that had an address, never proved it and had to release it: it signs in by it still. */
  listReleased(email: string): Promise<store.AccountRow[]>;
  /**
   * Takes the address off an account that never proved it, for somebody whom its domain's owner names; false for one that proved it,
   * has no password, or is of the staff, as `maySpareAddress` tells before.
   */
  releaseAddress(tx: SystemTx, account: store.AccountRow): Promise<boolean>;
  maySpareAddress: typeof maySpareAddress;
  /** Gives an account another address, which has proven itself; false when another account has it. */
  updateEmail(tx: SystemTx, accountId: string, email: string): Promise<boolean>;
  hasRoomForAddress: typeof hasRoomForAddress;
  findAccountById(id: string, tx?: SystemTx): Promise<store.AccountRow | null>;
  /** When an account was made; null where there is none. */
  findAccountSince(id: string): Promise<number | null>;
  /** What an account has in each workspace that it is or was in. */
  listStakes: typeof listStakes;
  /** The addresses of the owners of a workspace who can sign in there, but for one member; at most `limit`. */
  listOtherOwners: typeof listOtherOwners;
  /**
   * Ends memberships of an account which are those of whoever had it before: an account that nobody can sign in to has them from then on.
   * Part of the caller's transaction.
   */
  leaveBehind(tx: SystemTx, accountId: string, memberships: readonly Stake[]): Promise<void>;
  /** The stored plan of a workspace; null when it is gone. */
  findPlan(tenantId: string, from?: SystemDb | SystemTx): Promise<string | null>;
  /** Whether nobody of a workspace is let in. */
  isSuspended(tenantId: string, from?: SystemDb | SystemTx): Promise<boolean>;
  /** Every workspace with what it holds, the oldest first. */
  listWorkspaces(): Promise<store.WorkspaceRow[]>;
  /**
   * Does something in the caller's workspace about a client of it, which is neither deleted nor renamed until that is done; null where
   * the workspace is no client of the caller's. It looks beyond that workspace, but no further.
   */
  withOwnClient<T>(
    actor: Actor,
    id: string,
    work: (tx: TenantTx, client: { id: string; name: string }) => Promise<T>,
  ): Promise<T | null>;
  /** The client workspaces of the one that asks, by name; at most `limit`. */
  listOwnClients(tenantId: string, limit: number): Promise<{ id: string; name: string }[]>;
  /** How many client workspaces the one that asks has. */
  countOwnClients(tenantId: string): Promise<number>;
  /** Makes a workspace whose owner is the account; part of the caller's transaction. */
  createWorkspace(tx: SystemTx, accountId: string, workspace: NewWorkspace): Promise<MadeWorkspace>;
  /** Puts a workspace on another plan; gives the former one, or null when there is no such workspace. */
  changePlan(tenantId: string, plan: Plan): Promise<string | null>;
}

export function createTenants(needs: Needs): Tenants {
  const { system, lists } = needs;
  const {
    countClients,
    countOwners,
    deleteMember,
    disableMember,
    findFactorDuty,
    insertAccount,
    insertMember,
    isEmailVerified,
    lockAccount,
    lockMembers,
    touchMembers,
  } = store;
  const {
    updateDisplayName,
    updateEmailVerified,
    updateHasFactor,
    updateOnboardingCompleted,
    updatePasswordHash,
    updateStaff,
  } = store;
  lists.names.add({ kind: "member", select: store.selectMemberName, isSearched: false });
  lists.homes.add(store.listHomes);
  lists.measures.add(async () => {
    const { workspaces, accounts, members } = await store.countAll(system, needs.clock.now() - days(1));
    const gauge = (name: string, help: string, value: number): Measure => ({
      name: `orrery_panel_${name}`,
      help,
      type: "gauge",
      figures: [{ value }],
    });
    return [
      gauge("workspaces", "Workspaces there are", workspaces),
      gauge("accounts", "Accounts there are", accounts),
      gauge("members_seen_last_day", "Members who were here within a day", members),
    ];
  });
  return {
    feature: tenantsFeature,
    start: () => renewForms(needs),
    jobs: [{ name: "tenants.forget_accounts", everyMs: minutes(10), run: (signal) => forgetAccounts(needs, signal) }],
    ...{
      countClients,
      countOwners,
      deleteMember,
      disableMember,
      insertAccount,
      insertMember,
      isEmailVerified,
      lockAccount,
      lockMembers,
    },
    ...{
      findFactorDuty,
      touchMembers,
      updateDisplayName,
      updateEmailVerified,
      updateHasFactor,
      updateOnboardingCompleted,
      updatePasswordHash,
      updateStaff,
    },
    findReader: (email, tenantId, wanted, tx) => languages.findReader(tx ?? system, email, tenantId, wanted),
    findLanguages: (email, tenantId) => languages.findLanguages(system, email, tenantId),
    updateLanguage: languages.updateLanguage,
    findMembership: (tenantId, memberId, db = system) => store.findMembership(db, tenantId, memberId),
    findOpenMembership: (accountId, tx) => store.findOpenMembership(tx, accountId),
    listMemberships: (accountId, tx) => store.listMemberships(tx ?? system, accountId),
    findAccount: (email, tx) => store.findAccount(tx ?? system, email),
    listReleased: (email) => store.listReleased(system, email),
    maySpareAddress,
    releaseAddress: (tx, account) => releaseAddress(needs, tx, account),
    updateEmail: (tx, accountId, email) => updateEmail(tx, accountId, email, needs.clock.now()),
    hasRoomForAddress,
    findAccountById: (id, tx) => store.findAccountById(tx ?? system, id),
    findAccountSince: (id) => store.findAccountSince(system, id),
    findPlan: (tenantId, from = system) => store.findPlan(from, tenantId),
    isSuspended: (tenantId, from = system) => store.isSuspended(from, tenantId),
    listWorkspaces: () => store.listWorkspaces(system, lists.holdings.all()),
    withOwnClient: (actor, id, work) => withOwnClient(needs, actor, id, work),
    listOwnClients: (tenantId, limit) => store.listClients(system, tenantId, limit),
    countOwnClients: (tenantId) => store.countClients(system, tenantId),
    ...{ listStakes, listOtherOwners },
    leaveBehind: (tx, accountId, memberships) => leaveBehind(needs, tx, accountId, memberships),
    createWorkspace: (tx, accountId, workspace) => createWorkspace(needs, tx, accountId, workspace),
    changePlan: (tenantId, plan) => changePlan(needs, tenantId, plan),
  };
}
