import type { RoleName } from "./access.ts";
import type { TenantDb } from "./data/tenant-db.ts";

/** Who acts, and the only database they can reach: that of the workspace their token names. */
export interface Actor {
  account_id: string;
  /** The membership in the workspace. */
  member_id: string;
  tenant_id: string;
  role: RoleName;
  is_staff: boolean;
  session_id: string;
  db: TenantDb;
}
