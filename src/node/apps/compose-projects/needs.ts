import type { Bus } from "../../../kernel/bus.ts";
import type { Turns } from "../../../lib/turns.ts";
import type { NodeBase } from "../../base.ts";
import type { Operations } from "../../platform/operations/index.ts";
import type { Apps } from "../apps/index.ts";
import type { Runtime } from "../runtime/index.ts";
import type { ComposeProjectEvents } from "./contract.ts";

/** What Compose projects need. */
export interface Needs extends NodeBase {
  bus: Bus<ComposeProjectEvents>;
  operations: Pick<Operations, "begin" | "resume">;
  apps: Pick<Apps, "pulls" | "pullImage">;
  runtime: Pick<Runtime, "requireEngine" | "watch" | "facts">;
}

/** That, and what the feature keeps for itself. */
export interface Own extends Needs {
  /** Projects that something is being done with. */
  busy: Set<string>;
  /** Deploys make their parts one after the other. */
  turns: Turns;
}
