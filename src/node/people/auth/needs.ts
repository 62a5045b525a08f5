import type { Bus } from "../../../kernel/bus.ts";
import type { NodePlan } from "../../../shared/plans/index.ts";
import type { NodeBase } from "../../base.ts";
import type { EventHub } from "../../platform/events/index.ts";
import type { DavPasswords } from "../dav-passwords/index.ts";
import type { Keys } from "../keys/index.ts";
import type { Lock } from "../lock/index.ts";
import type { PairedDevices } from "../paired-devices/index.ts";
import type { Sessions } from "../sessions/index.ts";
import type { SignInEvents, SignIns } from "../sign-ins/index.ts";
import type { Totp } from "../totp/index.ts";
import type { Users } from "../users/index.ts";
import type { AuthEvents } from "./contract.ts";

/** What signing in with a password, and the guard, need. */
export interface Needs extends NodeBase {
  bus: Bus<AuthEvents & SignInEvents>;
  sessions: Sessions;
  users: Users;
  signIns: SignIns;
  keys: Keys;
  pairedDevices: PairedDevices;
  davPasswords: DavPasswords;
  totp: Totp;
  lock: Lock;
  /** Tells pages from where to follow what happens. */
  events: { hub: Pick<EventHub, "lastId"> };
  /** The plan in force. */
  plan(): NodePlan;
}
