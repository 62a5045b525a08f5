import type { NodeBase } from "../../base.ts";
import type { Identity } from "../../platform/identity/index.ts";

/** What the profile needs. */
export interface Needs extends NodeBase {
  identity: Pick<Identity, "mode">;
}
