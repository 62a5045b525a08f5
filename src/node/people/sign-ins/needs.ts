import type { Bus } from "../../../kernel/bus.ts";
import type { NodeBase } from "../../base.ts";
import type { Sessions } from "../sessions/index.ts";
import type { Users } from "../users/index.ts";
import type { SignInEvents } from "./contract.ts";

/** What sign-ins need. */
export interface Needs extends NodeBase {
  bus: Bus<SignInEvents>;
  sessions: Sessions;
  users: Users;
}
