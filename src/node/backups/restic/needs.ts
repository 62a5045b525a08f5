import type { Bus } from "../../../kernel/bus.ts";
import type { NodeBase } from "../../base.ts";
import type { Operations } from "../../platform/operations/index.ts";
import type { Objects } from "../../storage/objects/index.ts";
import type { ResticEvents } from "./contract.ts";
import type { ResticSession } from "./session.ts";

/** What looking into restic repositories needs. */
export interface Needs extends NodeBase {
  bus: Bus<ResticEvents>;
  operations: Pick<Operations, "begin">;
  objects: Pick<Objects, "port">;
}

/** A repository that is open. */
export interface Held {
  session: Promise<ResticSession>;
  /** Puts off its end. */
  touch(): void;
  end(): void;
}

/** That, and what the feature keeps for itself. */
export interface Own extends Needs {
  /** Open repositories by their ids, the one that was used last at the end. */
  held: Map<string, Held>;
  /** Repositories that are being read now. */
  reading: Map<string, { op_id: string; done: Promise<void> }>;
  downloads: Set<Promise<void>>;
}
