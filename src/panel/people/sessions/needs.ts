import type { PanelBase } from "../../base.ts";
import type { Standing, SystemDb, TenantDb } from "../../data/tenant-db.ts";
import type { Audit } from "../../platform/audit/index.ts";
import type { Tenants } from "../tenants/index.ts";
import type { Sightings } from "./sightings.ts";
import type { Tokens } from "./tokens.ts";

/** What sessions need. */
export interface Needs extends PanelBase {
  system: SystemDb;
  /** The database of one workspace for one account, for the guard alone. */
  openTenant(tenantId: string, accountId: string, standing?: Standing): TenantDb;
  tenants: Pick<Tenants, "findMembership" | "lockAccount" | "touchMembers">;
  audit: Pick<Audit, "acts">;
}

/** With what sessions make for themselves. */
export interface Own extends Needs {
  tokens: Tokens;
  sightings: Sightings;
}
