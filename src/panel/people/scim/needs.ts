import type { PanelBase, PanelBus } from "../../base.ts";
import type { SystemDb } from "../../data/tenant-db.ts";
import type { Audit } from "../../platform/audit/index.ts";
import type { Factors } from "../factors/index.ts";
import type { Registration } from "../registration/index.ts";
import type { Sessions } from "../sessions/index.ts";
import type { Sso } from "../sso/index.ts";
import type { Tenants } from "../tenants/index.ts";
import type { ScimEvents } from "./contract.ts";
import type { Room } from "./room.ts";
import type { InTurn } from "./turns.ts";

/** What a directory's members need. */
export interface Needs extends PanelBase {
  system: SystemDb;
  bus: PanelBus<ScimEvents>;
  audit: Pick<Audit, "acts">;
  tenants: Pick<
    Tenants,
    | "countOwners"
    | "disableMember"
    | "findAccount"
    | "findMembership"
    | "findPlan"
    | "insertAccount"
    | "insertMember"
    | "listMemberships"
    | "lockAccount"
    | "lockMembers"
    | "releaseAddress"
    | "updateDisplayName"
    | "updateEmail"
  >;
  sessions: Pick<Sessions, "endMemberSessions">;
  factors: Pick<Factors, "requireFreshProof">;
  registration: Pick<Registration, "mode">;
  sso: Pick<Sso, "ownsDomain" | "listDomains">;
}

/** The same with what the feature keeps itself. */
export interface Own extends Needs {
  inTurn: InTurn;
  /** For those who are members. */
  members: Room;
  /** For those whom the directory ever brought. */
  everybody: Room;
}
