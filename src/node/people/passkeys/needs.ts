import type { Bus } from "../../../kernel/bus.ts";
import type { NodeBase } from "../../base.ts";
import type { SignInEvents, SignIns } from "../sign-ins/index.ts";
import type { Totp } from "../totp/index.ts";
import type { Users } from "../users/index.ts";
import type { Challenges } from "./challenges.ts";
import type { PasskeyEvents } from "./contract.ts";

/** What passkeys need. */
export interface Needs extends NodeBase {
  bus: Bus<PasskeyEvents & SignInEvents>;
  users: Users;
  signIns: SignIns;
  totp: Totp;
}

/** With what they keep themselves. */
export interface Own extends Needs {
  /** Open questions to authenticators. */
  challenges: Challenges;
}
