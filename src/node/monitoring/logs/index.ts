/** Logs: the journal, the system's log and the output of any container, filtered where they are read, alone or all together. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { openProgram, tryProgram } from "../../../kernel/host/run-program.ts";
import { createContainers } from "./containers.ts";
import { fail } from "./contract.ts";
import { type Follow, follow } from "./follow.ts";
import { SYSTEM_FILES } from "./log-file.ts";
import type { Needs, Own } from "./needs.ts";
import { createReaders } from "./readers.ts";
import { bindLogRoutes } from "./routes.ts";
import { type Tail, type TailQuery, tail } from "./tail.ts";

export type { LogLine } from "./contract.ts";
export type { Tail, TailQuery } from "./tail.ts";

export const logsFeature = defineFeature({ name: "logs", errors: fail.table });

export interface Logs extends Part {
  /** Follows logs for whoever passes them on. */
  follow: Follow;
  /** The newest lines of some logs, and where that is asked for those that are written from then on, in batches. */
  tail(query: TailQuery, left: AbortSignal): Tail;
  /** The names of containers, by id; none without an engine. Throws EngineError. */
  containerNames(): Promise<ReadonlyMap<string, string>>;
}

/** The logs of this server. */
export function createLogs(needs: Needs): Logs {
  const { clock, signal, runtime } = needs;
  const system = { run: tryProgram, open: openProgram, files: SYSTEM_FILES };
  const own: Own = { clock, signal, runtime, containers: createContainers(runtime), system };
  const readers = createReaders(own);
  return {
    feature: logsFeature,
    routes: [bindLogRoutes(needs, own, readers)],
    tail: (query, left) => tail(own, readers, query, left),
    containerNames: async () => new Map((await own.containers.list()).map(({ id, name }) => [id, name])),
    follow: (sources, options) => follow(own, sources, options),
  };
}
