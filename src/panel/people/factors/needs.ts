import type { PanelBase, PanelBus } from "../../base.ts";
import type { SystemDb } from "../../data/tenant-db.ts";
import type { Audit } from "../../platform/audit/index.ts";
import type { Mailing } from "../../platform/mail/index.ts";
import type { Devices } from "../devices/index.ts";
import type { Sessions } from "../sessions/index.ts";
import type { Tenants } from "../tenants/index.ts";
import type { Challenges } from "./challenges.ts";
import type { FactorEvents } from "./contract.ts";
import type { PendingSignIns } from "./pending.ts";
import type { Tries } from "./tries.ts";

/** What second factors need. */
export interface Needs extends PanelBase {
  system: SystemDb;
  bus: PanelBus<FactorEvents>;
  tenants: Pick<
    Tenants,
    | "createWorkspace"
    | "deleteMember"
    | "findAccount"
    | "findAccountById"
    | "findFactorDuty"
    | "findOpenMembership"
    | "findReader"
    | "isEmailVerified"
    | "leaveBehind"
    | "listMemberships"
    | "listOtherOwners"
    | "listStakes"
    | "lockAccount"
    | "lockMembers"
    | "updateHasFactor"
  >;
  sessions: Pick<Sessions, "endOtherSessions" | "findSession" | "loginBody" | "proveSession" | "startSession">;
  devices: Pick<Devices, "arrive">;
  audit: Pick<Audit, "isAudited">;
  mail: Pick<Mailing, "missing" | "queue">;
}

/** With what they keep themselves. */
export interface Own extends Needs {
  /** Sign-ins whose password was right. */
  pending: PendingSignIns;
  /** Open questions to authenticators. */
  challenges: Challenges;
  /** Tries of codes, keys and passwords that confirm something. */
  tries: Tries;
}
