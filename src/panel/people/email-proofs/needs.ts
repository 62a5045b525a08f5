import type { PanelBase, PanelBus } from "../../base.ts";
import type { SystemDb } from "../../data/tenant-db.ts";
import type { Mailing } from "../../platform/mail/index.ts";
import type { AccountLinks } from "../account-links/index.ts";
import type { Factors } from "../factors/index.ts";
import type { Sessions } from "../sessions/index.ts";
import type { Tenants } from "../tenants/index.ts";
import type { EmailProofEvents } from "./contract.ts";

/** What proofs of addresses need. */
export interface Needs extends PanelBase {
  /** An account belongs to no single workspace. */
  system: SystemDb;
  bus: PanelBus<EmailProofEvents>;
  tenants: Pick<
    Tenants,
    | "findAccount"
    | "findAccountById"
    | "findMembership"
    | "findReader"
    | "hasRoomForAddress"
    | "listMemberships"
    | "lockAccount"
    | "updateEmail"
    | "updateEmailVerified"
  >;
  accountLinks: Pick<AccountLinks, "forgetLinks">;
  factors: Pick<Factors, "requireFreshProof">;
  sessions: Pick<Sessions, "findCaller">;
  mail: Pick<Mailing, "findOutcome" | "missing" | "queue">;
}
