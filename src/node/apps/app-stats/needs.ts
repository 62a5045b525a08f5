import type { NodeBase } from "../../base.ts";
import type { Apps } from "../apps/index.ts";
import type { Runtime } from "../runtime/index.ts";

/** What the figures of apps need. */
export interface Needs extends NodeBase {
  apps: Pick<Apps, "get" | "listServices" | "diskBytes">;
  runtime: Pick<Runtime, "engine">;
}
