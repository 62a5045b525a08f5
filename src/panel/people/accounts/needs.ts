import type { PanelBase, PanelBus } from "../../base.ts";
import type { SystemDb } from "../../data/tenant-db.ts";
import type { AccountLinks } from "../account-links/index.ts";
import type { Devices } from "../devices/index.ts";
import type { EmailProofs } from "../email-proofs/index.ts";
import type { Factors } from "../factors/index.ts";
import type { Registration } from "../registration/index.ts";
import type { Sessions } from "../sessions/index.ts";
import type { Tenants } from "../tenants/index.ts";
import type { WorkspaceSettings } from "../workspace-settings/index.ts";
import type { Attempts } from "./attempts.ts";
import type { AccountEvents } from "./contract.ts";

/** What accounts need. */
export interface Needs extends PanelBase {
  system: SystemDb;
  bus: PanelBus<AccountEvents>;
  tenants: Pick<
    Tenants,
    | "createWorkspace"
    | "findAccount"
    | "findAccountById"
    | "listReleased"
    | "findLanguages"
    | "findMembership"
    | "findOpenMembership"
    | "insertAccount"
    | "lockAccount"
    | "touchMembers"
    | "updateDisplayName"
    | "updateLanguage"
    | "updateOnboardingCompleted"
    | "updatePasswordHash"
  >;
  sessions: Pick<
    Sessions,
    | "endFamily"
    | "endOtherSessions"
    | "findCaller"
    | "findSession"
    | "isKnownNetwork"
    | "loginBody"
    | "renewSession"
    | "startSession"
  >;
  accountLinks: Pick<AccountLinks, "forgetLinks">;
  devices: Pick<Devices, "arrive" | "findKnown">;
  emailProofs: Pick<EmailProofs, "greet">;
  factors: Pick<Factors, "awaitFactor">;
  registration: Pick<Registration, "growth" | "requireOpen">;
  workspaceSettings: Pick<WorkspaceSettings, "putMode">;
}

/** With what accounts make for themselves. */
export interface Own extends Needs {
  /** Shared by every way to prove a password. */
  attempts: Attempts;
}
