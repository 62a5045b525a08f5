import type { PanelBase, PanelBus } from "../../base.ts";
import type { Audit } from "../../platform/audit/index.ts";
import type { Sessions } from "../sessions/index.ts";
import type { TeamEvents } from "./contract.ts";

/** What the team needs. */
export interface Needs extends PanelBase {
  bus: PanelBus<TeamEvents>;
  audit: Pick<Audit, "isAuditedHere">;
  sessions: Pick<Sessions, "endMemberSessions">;
}
