import type { SystemTx } from "../../data/tenant-db.ts";
import type { Mode } from "./contract.ts";
import type { Needs } from "./needs.ts";
import { insertMember, insertTenant } from "./store.ts";

/** A workspace before it is stored. */
export interface NewWorkspace {
  name: string;
  /** Null leaves the default, business, until somebody chooses. */
  mode: Mode | null;
  parent_tenant_id: string | null;
}

/** A workspace that was just made, and its owner's membership; `created_at` in milliseconds. */
export interface MadeWorkspace {
  tenant_id: string;
  member_id: string;
  created_at: number;
}

/** Makes a workspace whose owner is the account; part of the caller's transaction. */
export async function createWorkspace(
  { clock, ids, config }: Pick<Needs, "clock" | "ids" | "config">,
  tx: SystemTx,
  accountId: string,
  { name, mode, parent_tenant_id }: NewWorkspace,
): Promise<MadeWorkspace> {
  const created_at = clock.now();
  const tenant_id = ids.next("ten");
  const member_id = ids.next("mem");
  const mode_chosen = mode === null ? 0 : 1;
  await insertTenant(tx, {
    id: tenant_id,
    name,
    mode: mode ?? "business",
    mode_chosen,
    parent_tenant_id,
    plan: config.default_plan,
    created_at,
  });
  await insertMember(tx, { tenant_id, id: member_id, account_id: accountId, role: "org_owner", created_at });
  return { tenant_id, member_id, created_at };
}
