/** Logs: the journal, the system's log and the output of any container, filtered where they are read, alone or all together. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { openProgram, tryProgram } from "../../../kernel/host/run-program.ts";
import { createContainers } from "./containers.ts";
import { fail } from "./contract.ts";
import { type Follow, follow } from "./follow.ts";
import { SYSTEM_FILES } from "./log-file.ts";
import type { Needs, Own } from "./needs.ts";
import { bindLogRoutes } from "./routes.ts";

export const logsFeature = defineFeature({ name: "logs", errors: fail.table });

export interface Logs extends Part {
  /** Follows logs for whoever passes them on. */
  follow: Follow;
}

/** The logs of this server. */
export function createLogs(needs: Needs): Logs {
  const { clock, signal, runtime } = needs;
  const system = { run: tryProgram, open: openProgram, files: SYSTEM_FILES };
  const own: Own = { clock, signal, runtime, containers: createContainers(runtime), system };
  return {
    feature: logsFeature,
    routes: [bindLogRoutes(needs, own)],
    follow: (sources, options) => follow(own, sources, options),
  };
}
