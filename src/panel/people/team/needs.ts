import type { PanelBase, PanelBus } from "../../base.ts";
import type { Audit } from "../../platform/audit/index.ts";
import type { Sessions } from "../sessions/index.ts";
import type { TeamEvents } from "./contract.ts";
import type { Presences } from "./presences.ts";

/** What the team needs. */
export interface Needs extends PanelBase {
  bus: PanelBus<TeamEvents>;
  audit: Pick<Audit, "isAuditedHere">;
  sessions: Pick<Sessions, "endMemberSessions">;
}

/** With what the team keeps itself. */
export interface Own extends Needs {
  presences: Presences;
}
