import type { PanelBase, PanelBus } from "../../base.ts";
import type { SystemDb } from "../../data/tenant-db.ts";
import type { Sessions } from "../sessions/index.ts";
import type { SignInEvents } from "./contract.ts";

/** What sign-ins need. */
export interface Needs extends Pick<PanelBase, "clock"> {
  /** An account belongs to no single workspace. */
  system: SystemDb;
  bus: PanelBus<SignInEvents>;
  sessions: Pick<Sessions, "endFamily" | "endOtherSessions" | "listSignIns">;
}
