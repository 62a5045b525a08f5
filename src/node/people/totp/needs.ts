import type { Bus } from "../../../kernel/bus.ts";
import type { NodeBase } from "../../base.ts";
import type { SignInEvents, SignIns } from "../sign-ins/index.ts";
import type { Users } from "../users/index.ts";
import type { TotpEvents } from "./contract.ts";
import type { PendingLogins } from "./pending-logins.ts";

/** What the second factor needs. */
export interface Needs extends NodeBase {
  bus: Bus<TotpEvents & SignInEvents>;
  users: Users;
  signIns: SignIns;
}

/** With what it keeps itself. */
export interface Own extends Needs {
  /** Logins that wait for their second factor. */
  pendingLogins: PendingLogins;
}
