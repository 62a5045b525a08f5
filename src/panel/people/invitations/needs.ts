import type { PanelBase, PanelBus } from "../../base.ts";
import type { SystemDb } from "../../data/tenant-db.ts";
import type { Mailing } from "../../platform/mail/index.ts";
import type { Accounts } from "../accounts/index.ts";
import type { Factors } from "../factors/index.ts";
import type { Registration } from "../registration/index.ts";
import type { Tenants } from "../tenants/index.ts";
import type { InvitationEvents } from "./contract.ts";

/** What invitations need. */
export interface Needs extends PanelBase {
  system: SystemDb;
  bus: PanelBus<InvitationEvents>;
  tenants: Pick<
    Tenants,
    | "findAccount"
    | "findMembership"
    | "findReader"
    | "insertAccount"
    | "insertMember"
    | "listMemberships"
    | "lockAccount"
    | "lockMembers"
    | "updateEmailVerified"
  >;
  accounts: Pick<Accounts, "proveByPassword" | "proveBySession" | "stillHolds">;
  factors: Pick<Factors, "claimUnproven">;
  registration: Pick<Registration, "growth" | "requireNotClosed">;
  mail: Pick<Mailing, "missing" | "queue">;
}
