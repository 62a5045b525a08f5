import type { Bus } from "../../../kernel/bus.ts";
import type { KeyedGate } from "../../../lib/keyed-gate.ts";
import type { Places } from "../../../lib/places.ts";
import type { Tally } from "../../../lib/tally.ts";
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
  /** Bytes of files on their way in, by what these are called on disk meanwhile. */
  incoming: Map<string, number>;
  /** Files on their way out, by the ids of places. */
  leaving: Tally;
  /** Lists that are on their way out, of each place and of all. */
  listing: Places;
  /** Lets one at a time change what is of a name in a place. */
  byName: KeyedGate;
  /** Looks whether the disk of this server has room besides what the node needs for itself. Throws `disk_full`. */
  requireRoom: () => Promise<void>;
  /** Folders of places, by their paths. */
  places: Map<string, LocalFolder>;
}
