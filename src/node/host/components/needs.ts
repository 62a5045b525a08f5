import type { Bus } from "../../../kernel/bus.ts";
import type { List } from "../../../kernel/list.ts";
import type { NodeBase } from "../../base.ts";
import type { Operations } from "../../platform/operations/index.ts";
import type { HostRole } from "../host-role/index.ts";
import type { ComponentEvents, StoreMigration } from "./contract.ts";
import type { Machine } from "./machine.ts";
import type { ComponentSpec } from "./spec.ts";

/** What the components need. */
export interface Needs extends NodeBase {
  bus: Bus<ComponentEvents>;
  operations: Pick<Operations, "begin" | "resume" | "get" | "read">;
  hostRole: HostRole;
}

/** The change that is being carried out, as far as its own worker knows. */
export interface Working {
  opId: string;
  /** Ids of the components that it is about. */
  components: ReadonlySet<string>;
  /** Keys of the pieces that it is about. */
  keys: ReadonlySet<string>;
  /** It waits for another program that installs packages. */
  waits: boolean;
}

/** That, and what the feature keeps for itself. */
export interface Own extends Needs {
  /** Every component there is; features add theirs while they are made. */
  catalogue: ComponentSpec[];
  machine: Machine;
  state: { working: Working | null };
  /** Tells of objects that are brought over from a previous store; filled by the store, where there is one. */
  stores: List<() => StoreMigration | null>;
}
