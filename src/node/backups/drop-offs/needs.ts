import type { Bus } from "../../../kernel/bus.ts";
import type { NodeBase } from "../../base.ts";
import type { LocalFolder } from "../engine/index.ts";
import type { DropOffEvents } from "./contract.ts";
import type { Gates } from "./keys.ts";

/** What places for other servers' backups need. */
export interface Needs extends NodeBase {
  bus: Bus<DropOffEvents>;
}

/** That, and what the feature keeps for itself. */
export interface Own extends Needs {
  gates: Gates;
  /** Files on their way in, by what they are called on disk meanwhile. */
  incoming: Set<string>;
  /** Folders of places, by their paths. */
  places: Map<string, LocalFolder>;
}
