import type { NodeBase } from "../../base.ts";
import type { Identity } from "../../platform/identity/index.ts";
import type { Approvals } from "../approvals/index.ts";
import type { Auth } from "../auth/index.ts";
import type { Passkeys } from "../passkeys/index.ts";
import type { Users } from "../users/index.ts";

/** What lock info needs. */
export interface Needs extends NodeBase {
  users: Users;
  passkeys: Passkeys;
  auth: Auth;
  approvals: Approvals;
  identity: Pick<Identity, "name">;
}
