import type { Whose } from "../../../lib/fair-turns.ts";
import { doPart } from "../../../lib/part.ts";
import { countedAs } from "../../actor.ts";
import { narrow, type SystemTx, type TenantDb, type TenantTx } from "../../data/tenant-db.ts";
import type { By } from "../../event-meaning.ts";
import type { GivenRole } from "../sso/contract.ts";
import type { RoleName } from "../tenants/contract.ts";
import { fail, paused } from "./contract.ts";
import type { Needs } from "./needs.ts";
import { findReach } from "./token-store.ts";

/** One change of a workspace's members, which nobody else changes meanwhile. */
export interface Change {
  by: By;
  /** Across workspaces: accounts belong to none. */
  tx: SystemTx;
  /** The rows of the workspace. */
  own: TenantTx;
  /** Whether owners are within its reach: a token has no more of them than whoever answers for it. */
  reachesOwners: boolean;
  /** The most that it makes of anybody. */
  most: GivenRole;
  /** The account that nobody else changes meanwhile either; null where it is about none. */
  account_id: string | null;
}

/** Finds the account that a change is about. */
export type FindAccount = (tx: SystemTx) => Promise<string | null>;

const nobody: FindAccount = async () => null;

/** A directory that calls, by its token. */
export interface Caller {
  by: By;
  tokenId: string;
  /** The workspace as it is after a change. */
  db: TenantDb;
}

/** Opens one change after the other, all by the same right. */
export type Opener = <T>(run: (change: Change) => Promise<T>) => Promise<T>;

/** Members that one change takes, and for how long: whatever else is written waits for its end. */
export const PART = { most: 100, ms: 25 };

/**
 * Does `each` to many members, some in a transaction. `first` belongs to the first of these, and `end` to the last; few members have one
 * for all. When it breaks off in between, the part before stays, and asking for the same again does the rest.
 */
export async function inParts<Step>(
  { clock }: Pick<Needs, "clock">,
  open: Opener,
  parts: {
    steps: readonly Step[];
    first(at: Change): Promise<void>;
    each(at: Change, step: Step): Promise<void>;
    end?(at: Change): Promise<void>;
  },
): Promise<void> {
  let left = parts.steps;
  let isFirst = true;
  do {
    left = await open(async (at) => {
      if (isFirst) await parts.first(at);
      const rest = await doPart(clock, PART, left, (step) => parts.each(at, step));
      if (rest.length === 0) await parts.end?.(at);
      return rest;
    });
    isFirst = false;
  } while (left.length > 0);
}

/** Directories of all workspaces have the share of one: whoever has many of them holds everybody else no longer than with one. */
const asDirectory = (tenantId: string): Whose => ["directories", tenantId];

/**
 * Runs one change for the workspace of a directory, about the account that `findAccount` finds. Throws `scim_token_paused`, and
 * `scim_refused` for what `requireReach` refuses.
 */
export function change<T>(
  needs: Needs,
  { by, tokenId }: Pick<Caller, "by" | "tokenId">,
  run: (change: Change) => Promise<T>,
  findAccount = nobody,
): Promise<T> {
  return needs.system.onBehalfOf(asDirectory(by.tenant_id)).tx(async (tx) => {
    // The account first, as everywhere: whoever changes both at the same time must not wait for this one while it waits for them.
    const account_id = await findAccount(tx);
    if (account_id !== null) await needs.tenants.lockAccount(tx, account_id);
    await needs.tenants.lockMembers(tx, by.tenant_id);
    const reach = await findReach(tx, by.tenant_id, tokenId);
    // Asked again where nobody changes a role meanwhile: the request may have been let in a moment before.
    if (!reach || reach.is_paused === 1) throw paused(reach?.name ?? tokenId);
    return run({
      ...{ by, tx, own: narrow(tx, by.tenant_id), account_id },
      reachesOwners: reach.role_then === "org_owner" && reach.role_now === "org_owner",
      most: reach.role_now === null ? "org_manager" : "org_admin",
    });
  });
}

/** Runs one change that a member of the workspace makes of what its directory brought. */
export function changeByHand<T>(needs: Needs, by: By, run: (change: Change) => Promise<T>): Promise<T> {
  return needs.system.onBehalfOf([by.tenant_id, by.account_id]).tx(async (tx) => {
    await needs.tenants.lockMembers(tx, by.tenant_id);
    const own = narrow(tx, by.tenant_id);
    return run({ by, tx, own, reachesOwners: false, most: "org_admin", account_id: null });
  });
}

/**
 * For everything but turning people off and taking rights from them, which never waits: nobody keeps access because their directory wrote
 * much. Throws `too_many_requests` for a directory that wrote as much into the log as it may.
 */
export const requireRoom = ({ audit }: Pick<Needs, "audit">, by: By): void => audit.acts.requireRoom(countedAs(by));

/** Throws `scim_refused` where a change would give somebody a role back that is beyond the token. */
export function requireReach({ reachesOwners, most }: Change, role: RoleName): void {
  if (role === "org_owner" && !reachesOwners)
    throw fail("scim_refused", { detail: "This is an owner, whom only a token can bring back that an owner made." });
  if (role === "org_admin" && most !== "org_admin")
    throw fail("scim_refused", {
      detail: "This is an admin, whom this token cannot bring back until an owner or admin takes it over.",
    });
}
