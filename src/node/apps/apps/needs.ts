import type { Bus } from "../../../kernel/bus.ts";
import type { NodePlan } from "../../../shared/plans/index.ts";
import type { NodeBase } from "../../base.ts";
import type { Operations } from "../../platform/operations/index.ts";
import type { Registries } from "../registries/index.ts";
import type { Runtime } from "../runtime/index.ts";
import type { Templates } from "../templates/index.ts";
import type { AppEvents } from "./contract.ts";
import type { PullList } from "./images/pull-list.ts";
import type { AppState } from "./state.ts";

/** What the apps need. */
export interface Needs extends NodeBase {
  bus: Bus<AppEvents>;
  operations: Pick<Operations, "begin" | "resume">;
  runtime: Pick<Runtime, "status" | "engine" | "requireEngine" | "facts" | "watch">;
  registries: Pick<Registries, "logins">;
  templates: Pick<Templates, "load">;
  /** The plan in force, which limits how many apps there may be. */
  plan(): NodePlan;
}

/** That, and what the feature keeps for itself. */
export interface Own extends Needs {
  state: AppState;
  pulls: PullList;
}
