import type { Bus } from "../../../kernel/bus.ts";
import type { NodeBase } from "../../base.ts";
import type { Users } from "../users/index.ts";
import type { AvatarEvents } from "./contract.ts";

/** What avatars need. */
export interface Needs extends NodeBase {
  bus: Bus<AvatarEvents>;
  users: Users;
}
