import type { Bus } from "../../../kernel/bus.ts";
import type { Limiter } from "../../../kernel/http/limit.ts";
import type { SharedMap } from "../../../lib/shared-map.ts";
import type { NodeBase } from "../../base.ts";
import type { PairedDevices } from "../paired-devices/index.ts";
import type { SignIns } from "../sign-ins/index.ts";
import type { QrEvents } from "./contract.ts";

/** One QR sign-in; in memory only, so a restart ends it. */
export interface QrSession {
  session_id: string;
  secret: string;
  /** Monotonic time at which it expires in its present state. */
  end: number;
  state: "pending" | "approved" | "consumed";
  /** Who approved it. */
  user_id: string | null;
  /** The paired device that did, or that let in who did. */
  device_id: string | null;
  /** False once what they approved it with has ended. */
  holds: () => boolean;
  device: string;
}

/** What QR sign-in needs. */
export interface Needs extends NodeBase {
  bus: Bus<QrEvents>;
  signIns: SignIns;
  pairedDevices: Pick<PairedDevices, "underThisAccess">;
}

/** With what it keeps itself. */
export interface Own extends Needs {
  codes: SharedMap<QrSession>;
  /** Codes that each address asked for. */
  generated: Limiter;
  /** Secrets that each address tried to trade. */
  exchanged: Limiter;
}
