import type { NodeBase } from "../../base.ts";
import type { Operations } from "../../platform/operations/index.ts";
import type { Apps } from "../apps/index.ts";
import type { Runtime } from "../runtime/index.ts";

/** What the logs of apps need. */
export interface Needs extends NodeBase {
  apps: Pick<Apps, "get" | "listServices">;
  operations: Pick<Operations, "lastWords">;
  runtime: Pick<Runtime, "engine" | "requireEngine">;
}
