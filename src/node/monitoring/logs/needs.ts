import type { OpenRunning, RunProgram } from "../../../kernel/host/run-program.ts";
import type { Runtime } from "../../apps/runtime/index.ts";
import type { NodeBase } from "../../base.ts";
import type { Containers } from "./containers.ts";

/** What logs need. */
export interface Needs extends NodeBase {
  runtime: Pick<Runtime, "engine" | "requireEngine" | "watch">;
}

/** How the system's own log is reached. */
export interface SystemSource {
  run: RunProgram;
  open: OpenRunning;
  /** Where a syslog daemon writes, for systems without a journal. */
  files: readonly string[];
}

/** What logs make for themselves. */
export interface Own extends Pick<Needs, "clock" | "signal"> {
  runtime: Pick<Runtime, "engine" | "requireEngine">;
  containers: Containers;
  system: SystemSource;
}
