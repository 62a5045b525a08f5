import { narrow, type SystemTx, type TenantTx } from "../../data/tenant-db.ts";
import type { By } from "../../event-meaning.ts";
import type { Needs } from "./needs.ts";
import { findMaker } from "./token-store.ts";

/** One change of a workspace's members, which nobody else changes meanwhile. */
export interface Change {
  by: By;
  /** Across workspaces: accounts belong to none. */
  tx: SystemTx;
  /** The rows of the workspace. */
  own: TenantTx;
  /** Whether owners are within its reach: a token has no more of them than whoever made it. */
  reachesOwners: boolean;
}

/** A directory that calls, by its token. */
export interface Caller {
  by: By;
  tokenId: string;
}

/** Runs one change for the workspace of a directory. */
export function change<T>(needs: Needs, { by, tokenId }: Caller, run: (change: Change) => Promise<T>): Promise<T> {
  return needs.system.tx(async (tx) => {
    await needs.tenants.lockMembers(tx, by.tenant_id);
    const maker = await findMaker(tx, by.tenant_id, tokenId);
    return run({ by, tx, own: narrow(tx, by.tenant_id), reachesOwners: maker === "org_owner" });
  });
}

/** Runs one change that a member of the workspace makes of what its directory brought. */
export function changeByHand<T>(needs: Needs, by: By, run: (change: Change) => Promise<T>): Promise<T> {
  return needs.system.tx(async (tx) => {
    await needs.tenants.lockMembers(tx, by.tenant_id);
    return run({ by, tx, own: narrow(tx, by.tenant_id), reachesOwners: false });
  });
}
