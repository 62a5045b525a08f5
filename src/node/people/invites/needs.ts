import type { Bus } from "../../../kernel/bus.ts";
import type { NodeBase } from "../../base.ts";
import type { SignIns } from "../sign-ins/index.ts";
import type { Totp } from "../totp/index.ts";
import type { Users } from "../users/index.ts";
import type { InviteEvents } from "./contract.ts";

/** What invites need. */
export interface Needs extends NodeBase {
  bus: Bus<InviteEvents>;
  users: Users;
  signIns: SignIns;
  totp: Totp;
}
