import type { PanelBase, PanelBus } from "../../base.ts";
import type { SystemDb } from "../../data/tenant-db.ts";
import type { Audit } from "../../platform/audit/index.ts";
import type { Factors } from "../factors/index.ts";
import type { Registration } from "../registration/index.ts";
import type { Sessions } from "../sessions/index.ts";
import type { Tenants } from "../tenants/index.ts";
import type { WorkspaceEvents } from "./contract.ts";

/** What workspaces need. */
export interface Needs extends PanelBase {
  system: SystemDb;
  bus: PanelBus<WorkspaceEvents>;
  /** The tables with rows of workspaces, those that stand on others first. */
  tenantTables: readonly string[];
  audit: Pick<Audit, "isAudited">;
  tenants: Pick<
    Tenants,
    | "countOwners"
    | "createWorkspace"
    | "deleteMember"
    | "disableMember"
    | "findAccountSince"
    | "findMembership"
    | "countClients"
    | "listMemberships"
    | "lockAccount"
    | "lockMembers"
  >;
  factors: Pick<Factors, "requireFreshProof">;
  registration: Pick<Registration, "growth">;
  sessions: Pick<Sessions, "loginBody" | "moveSession">;
}
