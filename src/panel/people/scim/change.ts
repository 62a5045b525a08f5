import { narrow, type SystemTx, type TenantTx } from "../../data/tenant-db.ts";
import type { By } from "../../event-meaning.ts";
import type { Needs } from "./needs.ts";

/** One change of a workspace's members, which nobody else changes meanwhile. */
export interface Change {
  by: By;
  /** Across workspaces: accounts belong to none. */
  tx: SystemTx;
  /** The rows of the workspace. */
  own: TenantTx;
}

/** Runs one change for the workspace of `by`. */
export function change<T>(needs: Needs, by: By, run: (change: Change) => Promise<T>): Promise<T> {
  return needs.system.tx(async (tx) => {
    await needs.tenants.lockMembers(tx, by.tenant_id);
    return run({ by, tx, own: narrow(tx, by.tenant_id) });
  });
}
