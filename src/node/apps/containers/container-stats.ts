import { createCached } from "../../../lib/cached.ts";
import { seconds } from "../../../lib/duration.ts";
import { createGate } from "../../../lib/gate.ts";
import { openContainer } from "../../machine/index.ts";
import { createPidFinder } from "../app-stats/index.ts";
import type { RuntimeWatcher } from "../runtime/index.ts";
import type { ContainerStats } from "./contract.ts";
import type { Needs } from "./needs.ts";

/** Askers within this time share one measurement. */
const SHARE_MS = 500;
/** An older reading says nothing about now: another one is taken first, and a moment waited. */
const STALE_MS = seconds(30);
const FIRST_GAP_MS = 200;
/** Questions to the engine at a time; each container is asked about once for each of its starts. */
const MOST_QUESTIONS = 8;

interface Reading {
  cpu_ns: number;
  memory_bytes: number | null;
  limit_bytes: number | null;
  /** Monotonic milliseconds. */
  at: number;
}

/** Measures what running containers use now; nothing is read while nobody asks. */
export interface ContainerMeters {
  /** All that run. Throws `runtime_unavailable`. */
  read(): Promise<ContainerStats[]>;
  /** Forgets containers that were started anew. */
  watcher: RuntimeWatcher;
}

/** Processor use between two readings, 100 for one core. */
export function cpuBetween(before: Pick<Reading, "cpu_ns" | "at">, now: Pick<Reading, "cpu_ns" | "at">): number {
  const elapsedMs = now.at - before.at;
  if (elapsedMs <= 0) return 0;
  return Math.round(Math.max(0, (now.cpu_ns - before.cpu_ns) / elapsedMs / 1e6) * 10_000) / 100;
}

/** Meters with a memory of their own, by the kernel's accounting: the engine itself would take seconds, and load the server. */
export function createContainerMeters({ runtime, clock, config }: Needs): ContainerMeters {
  const pids = createPidFinder({ runtime: { engine: () => runtime.requireEngine() } });
  const gate = createGate(MOST_QUESTIONS);
  const known = new Map<string, Reading>();

  function forget(id: string): void {
    pids.forget(id);
    known.delete(id);
  }

  async function readOne(id: string): Promise<Reading | null> {
    const pid = await gate(() => pids.find(id, null));
    const meter = pid === null ? null : openContainer(pid, config.host_root);
    const usage = meter?.read() ?? null;
    const limit_bytes = meter?.memoryLimit() ?? null;
    meter?.close();
    if (usage) return { cpu_ns: usage.cpu_ns, memory_bytes: usage.memory_bytes, limit_bytes, at: clock.monotonic() };
    forget(id);
    return null;
  }

  async function readAll(): Promise<ContainerStats[]> {
    const ids = (await runtime.requireEngine().listContainers({}))
      .filter(({ State }) => State === "running")
      .map(({ Id }) => Id);
    for (const id of known.keys()) if (!ids.includes(id)) forget(id);
    const isOld = (id: string) => clock.monotonic() - (known.get(id)?.at ?? Number.NEGATIVE_INFINITY) > STALE_MS;
    const old = ids.filter(isOld);
    for (const [index, reading] of (await Promise.all(old.map(readOne))).entries()) {
      const id = old[index];
      if (id !== undefined && reading) known.set(id, reading);
    }
    if (old.length > 0) await clock.sleep(FIRST_GAP_MS);
    const measured = await Promise.all(
      ids.map(async (id): Promise<ContainerStats | null> => {
        const before = known.get(id);
        const now = before ? await readOne(id) : null;
        if (!before || !now) return null;
        known.set(id, now);
        const { memory_bytes, limit_bytes } = now;
        return { id, cpu_percent: cpuBetween(before, now), memory_bytes, memory_limit_bytes: limit_bytes };
      }),
    );
    return measured.filter((one) => one !== null);
  }

  const shared = createCached(clock, SHARE_MS, readAll);
  return {
    read: () => shared.get(),
    watcher: {
      connected: () => {
        for (const id of [...known.keys()]) forget(id);
      },
      event: ({ action, id }) => {
        if (action === "start" || action === "die") forget(id);
      },
    },
  };
}
