import type { PanelBase, PanelBus } from "../../base.ts";
import type { SystemDb } from "../../data/tenant-db.ts";
import type { Mailing } from "../../platform/mail/index.ts";
import type { Factors } from "../factors/index.ts";
import type { Sessions } from "../sessions/index.ts";
import type { Tenants } from "../tenants/index.ts";
import type { AccountLinkEvents } from "./contract.ts";

/** What links to accounts need. */
export interface Needs extends PanelBase {
  system: SystemDb;
  bus: PanelBus<AccountLinkEvents>;
  tenants: Pick<
    Tenants,
    | "createWorkspace"
    | "findAccount"
    | "findAccountById"
    | "findReader"
    | "insertAccount"
    | "listMemberships"
    | "lockAccount"
    | "updateEmailVerified"
    | "updatePasswordHash"
    | "updateStaff"
  >;
  sessions: Pick<Sessions, "endOtherSessions">;
  factors: Pick<Factors, "claimUnproven">;
  mail: Pick<Mailing, "missing" | "queue">;
}
