import type { Bus } from "../../../kernel/bus.ts";
import type { NodeBase } from "../../base.ts";
import type { PairedDevices } from "../paired-devices/index.ts";
import type { SignIns } from "../sign-ins/index.ts";
import type { Users } from "../users/index.ts";
import type { ApprovalEvents } from "./contract.ts";
import type { OpenRequests } from "./requests.ts";

/** What approvals need. */
export interface Needs extends NodeBase {
  bus: Bus<ApprovalEvents>;
  users: Users;
  signIns: SignIns;
  pairedDevices: Pick<PairedDevices, "underThisAccess">;
}

/** With what they keep themselves. */
export interface Own extends Needs {
  open: OpenRequests;
}
