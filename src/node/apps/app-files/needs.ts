import type { Bus } from "../../../kernel/bus.ts";
import type { NodeBase } from "../../base.ts";
import type { Apps } from "../apps/index.ts";
import type { Runtime } from "../runtime/index.ts";
import type { AppFileEvents } from "./contract.ts";

/** What the files of apps need. */
export interface Needs extends NodeBase {
  bus: Bus<AppFileEvents>;
  apps: Pick<Apps, "get" | "listServices" | "volumesOf">;
  runtime: Pick<Runtime, "requireEngine" | "watch" | "facts">;
}

/** A file that is on its way. */
export interface Upload {
  user_id: string;
  app_id: string;
  size: number;
  received: number;
  /** A part of it is being read. */
  isBusy: boolean;
  writer: WritableStreamDefaultWriter<Uint8Array>;
  /** What came of it, once it is known: null for a file that is where it belongs. */
  outcome: Promise<{ error: unknown } | null>;
  touch(): void;
}

/** That, and what the feature keeps for itself. */
export interface Own extends Needs {
  /** Runs a task when there are not too many. */
  enter: <T>(task: () => Promise<T>) => Promise<T>;
  /** Containers that work now. */
  carriers: Set<string>;
  /** Downloads that are on their way. */
  downloads: Set<Promise<void>>;
  /** Files that come in parts, by their id. */
  uploads: Map<string, Upload>;
}
