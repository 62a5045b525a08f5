import type { TenantFleet } from "./agents/live/index.ts";
import type { TenantDb } from "./data/tenant-db.ts";
import type { RoleName } from "./people/tenants/contract.ts";

/** Who acts, and the only database and fleet they can reach: those of the workspace their token names. */
export interface Actor {
  account_id: string;
  /** The membership in the workspace. */
  member_id: string;
  tenant_id: string;
  role: RoleName;
  is_staff: boolean;
  session_id: string;
  db: TenantDb;
  fleet: TenantFleet;
}
