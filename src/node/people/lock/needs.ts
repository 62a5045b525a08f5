import type { Bus } from "../../../kernel/bus.ts";
import type { NodeBase } from "../../base.ts";
import type { Passkeys } from "../passkeys/index.ts";
import type { Sessions } from "../sessions/index.ts";
import type { SignIns } from "../sign-ins/index.ts";
import type { Users } from "../users/index.ts";
import type { LockEvents } from "./contract.ts";

/** What the lock needs. */
export interface Needs extends NodeBase {
  bus: Bus<LockEvents>;
  sessions: Sessions;
  users: Users;
  signIns: SignIns;
  passkeys: Passkeys;
}
