import type { PanelBase, PanelBus } from "../../base.ts";
import type { SystemDb } from "../../data/tenant-db.ts";
import type { Sessions } from "../sessions/index.ts";
import type { Tenants } from "../tenants/index.ts";
import type { StaffEvents } from "./contract.ts";

/** What the console of the staff needs. */
export interface Needs extends PanelBase {
  system: SystemDb;
  bus: PanelBus<StaffEvents>;
  tenants: Pick<
    Tenants,
    "disableMember" | "findAccountById" | "findMembership" | "insertMember" | "listMemberships" | "lockMembers"
  >;
  sessions: Pick<Sessions, "endMemberSessions">;
}
