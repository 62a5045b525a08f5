import type { ProgramEnd, RunProgram } from "../../src/kernel/host/run-program.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { EngineError, type OutputLine, type RuntimeWatcher } from "../../src/node/apps/runtime/index.ts";
import { createContainers } from "../../src/node/monitoring/logs/containers.ts";
import type { Own } from "../../src/node/monitoring/logs/needs.ts";

/** Waiting costs nothing but a turn of the event loop. */
export const turnClock = { ...systemClock, sleep: () => new Promise<void>((resolve) => setImmediate(resolve)) };

/** A moment as engines write it, to the nanosecond. */
export function at(second: number): string {
  const whole = Math.floor(second);
  const nanoseconds = Math.round((second - whole) * 1e9);
  return new Date(Date.UTC(2026, 0, 1, 0, 0, whole))
    .toISOString()
    .replace("000Z", `${String(nanoseconds).padStart(9, "0")}Z`);
}

const NO_JOURNAL: ProgramEnd = { code: 127, signal: null, stdout: "", stderr: "not found", cut: [] };

/** An engine whose containers write what is said, and a system without a journal but with these files. */
export function createLogWorld(signal: AbortSignal, files: string[] = []) {
  const logs = new Map<string, { second: number; text: string }[]>();
  const asked: string[] = [];
  let given = 0;
  let watcher: RuntimeWatcher | null = null;
  const engine = {
    listContainers: async () => [...logs.keys()].map((Id) => ({ Id, Names: [`/${Id}`] })),
    async readLogs(id: string, { since = "0", tail = "all" }: { since?: string; tail?: number | "all" }) {
      asked.push(id);
      const lines = logs.get(id);
      if (!lines) throw new EngineError(404, "No such container");
      return (async function* (): AsyncIterable<OutputLine> {
        for (const { second, text } of tail === "all" ? lines : lines.slice(-tail)) {
          if (Date.parse(at(second)) / 1000 < Number(since)) continue;
          given += 1;
          yield { at: at(second), stream: "stdout", text };
        }
      })();
    },
  };
  const runtime = {
    engine: () => engine as never,
    requireEngine: () => engine as never,
    watch: (next: RuntimeWatcher) => {
      watcher = next;
    },
  };
  const run: RunProgram = async () => NO_JOURNAL;
  const open = () => {
    throw new Error("no journalctl");
  };
  const system = { run, open, files };
  const own: Own = { clock: turnClock, signal, runtime, containers: createContainers(runtime), system };
  return {
    own,
    asked,
    given: () => given,
    write: (id: string, ...lines: [second: number, text: string][]) =>
      logs.set(id, [...(logs.get(id) ?? []), ...lines.map(([second, text]) => ({ second, text }))]),
    begin: (id: string, action = "start") =>
      watcher?.event({ type: "container", action, id, attributes: {}, at: 0 }, engine as never),
  };
}
