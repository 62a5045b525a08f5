import type { PanelBase, PanelBus } from "../../base.ts";
import type { SystemDb } from "../../data/tenant-db.ts";
import type { Mailing } from "../../platform/mail/index.ts";
import type { Factors } from "../factors/index.ts";
import type { Tenants } from "../tenants/index.ts";
import type { FactorResetEvents } from "./contract.ts";

/** What resets of second factors need. */
export interface Needs extends PanelBase {
  /** An account belongs to no single workspace. */
  system: SystemDb;
  bus: PanelBus<FactorResetEvents>;
  tenants: Pick<Tenants, "findMembership" | "findReader" | "listMemberships" | "lockAccount">;
  factors: Pick<Factors, "requireFreshProof" | "takeFactors">;
  mail: Pick<Mailing, "missing" | "queue">;
}
