import type { Bus } from "../../../kernel/bus.ts";
import type { Apps } from "../../apps/apps/index.ts";
import type { Runtime } from "../../apps/runtime/index.ts";
import type { NodeBase } from "../../base.ts";
import type { LiveSampler } from "../system/index.ts";
import type { MetricsEvents } from "./contract.ts";
import type { SeriesBook } from "./series/book.ts";

/** What measuring needs. */
export interface Needs extends NodeBase {
  bus: Bus<MetricsEvents>;
  apps: Pick<Apps, "get" | "names" | "listRunning">;
  runtime: Pick<Runtime, "engine">;
  /** What the machine is doing right now. */
  live: LiveSampler;
}

/** That, and what the feature keeps for itself. */
export interface Own extends Needs, SeriesBook {}
