import type { NodeBase } from "../../base.ts";
import type { Identity } from "../../platform/identity/index.ts";
import type { LiveSampler } from "./live.ts";

/** What the system's facts need. */
export interface Needs extends NodeBase {
  identity: Pick<Identity, "id" | "name">;
}

/** That, and what the feature keeps for itself. */
export interface Own extends Needs {
  live: LiveSampler;
}
