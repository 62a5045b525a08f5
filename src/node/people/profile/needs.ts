import type { NodeBase } from "../../base.ts";
import type { Preferences } from "./contract.ts";

/** What the profile needs. */
export interface Needs extends NodeBase {
  identity: { mode(): Preferences["mode"] };
}
