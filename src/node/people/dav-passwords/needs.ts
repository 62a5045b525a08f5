import type { Bus } from "../../../kernel/bus.ts";
import type { NodeBase } from "../../base.ts";
import type { Users } from "../users/index.ts";
import type { DavPasswordEvents } from "./contract.ts";

/** What passwords for WebDAV need. */
export interface Needs extends NodeBase {
  bus: Bus<DavPasswordEvents>;
  users: Pick<Users, "get" | "find">;
}
