import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { closeDatabase, openDatabase } from "../../src/kernel/db/open.ts";
import { createLog } from "../../src/kernel/log.ts";
import { type Clock, systemClock } from "../../src/lib/clock.ts";
import { createConnection } from "../../src/node/apps/runtime/connection.ts";
import { createHost } from "../../src/node/machine/index.ts";
import { createAppMeter, type RunningContainer } from "../../src/node/monitoring/metrics/collect/app-meter.ts";
import { createCollector } from "../../src/node/monitoring/metrics/collect/collector.ts";
import { createSeriesBook } from "../../src/node/monitoring/metrics/series/book.ts";
import { migrateMetrics } from "../../src/node/open-series.ts";
import { docker, removeLabelled } from "../kit/docker.ts";
import { ENGINE_SOCKET } from "../kit/engine-node.ts";
import { testEnv } from "../kit/env.ts";
import { until } from "../kit/until.ts";
import type { Bench, Measure } from "./bench.ts";
import { cpuMeterOf, exporterCost } from "./exporter.ts";
import { waitedMs } from "./process-facts.ts";
import { type Figure, median, percentile } from "./table.ts";

const LABEL = "orrery.bench=sample";
const CONTAINERS = 20;
const MANY = 200;
const SWEEPS = 120;
/** Between two sweeps, so that each finds the machine as a real one does: asleep, its caches used by others. */
const PAUSE_MS = 100;
/** What a core can do between two real sweeps. */
const CORE_MS = 10_000;

/** Small containers that do next to nothing. */
async function startContainers(): Promise<RunningContainer[]> {
  await removeLabelled(LABEL);
  const image = testEnv().images.base;
  const containers: RunningContainer[] = [];
  for (let index = 0; index < CONTAINERS; index++) {
    const id = await docker("run", "-d", "--label", LABEL, "--network", "none", image, "/bin/busybox", "sleep", "3600");
    containers.push({ app_id: `app_${index}`, container_id: id, started_at: null });
  }
  return containers;
}

/** A collector of this host on a database of its own; its clock is ten seconds further at each sweep. */
async function openCollector(folder: string, running: () => RunningContainer[]) {
  let sweeps = 0;
  const clock: Clock = {
    ...systemClock,
    now: () => 1_767_225_600_000 + sweeps * CORE_MS,
    monotonic: () => sweeps * CORE_MS + performance.now() / 1000,
  };
  const stopping = new AbortController();
  const { signal } = stopping;
  const log = createLog(systemClock, "error", (line) => process.stderr.write(`${line}\n`));
  const db = openDatabase(join(folder, "metrics.db"), "normal");
  migrateMetrics(db, "2026-01-01T00:00:00.000Z");
  const runtime = createConnection({ socketPath: ENGINE_SOCKET, clock: systemClock, log, signal, onChange: () => {} });
  await runtime.start();
  await until(() => runtime.engine(), { what: "the engine" });
  const host = createHost(clock, "/", signal);
  const config = { host_root: "/" };
  const apps = createAppMeter({ runtime, config, log, host }, running);
  const { recorder } = createSeriesBook(db, clock, () => {});
  const collector = createCollector({ clock, log, host, recorder, apps });
  return {
    async sweep() {
      sweeps += 1;
      await collector.sweep();
    },
    close() {
      apps.close();
      stopping.abort();
      closeDatabase(db);
    },
  };
}

/** What sweeps took, in milliseconds. */
interface SweepTimes {
  /** Each, from its start to its end. */
  times: number[];
  /** The same without the time that this process stood in line for a processor that others were using. */
  ownTimes: number[];
  /** Processor time of one: what the pauses alone take is taken off. */
  cpuMs: number;
}

/** Measures sweeps at a quiet pace. */
async function measureSweeps(sweep: () => Promise<void>): Promise<SweepTimes> {
  for (let count = 0; count < 30; count++) {
    await sweep();
    await Bun.sleep(10);
  }
  const round = async (work: () => Promise<void>): Promise<number> => {
    const meter = cpuMeterOf(process.pid);
    for (let count = 0; count < SWEEPS; count++) {
      await work();
      await Bun.sleep(PAUSE_MS);
    }
    return meter();
  };
  const times: number[] = [];
  const ownTimes: number[] = [];
  const nothing = await round(async () => {});
  const all = await round(async () => {
    const begun = performance.now();
    const waited = waitedMs(process.pid);
    await sweep();
    const time = performance.now() - begun;
    times.push(time);
    ownTimes.push(time - (waitedMs(process.pid) - waited));
  });
  return { times, ownTimes, cpuMs: (all - nothing) / SWEEPS };
}

async function measure({ say }: Bench, folder: string): Promise<Figure[]> {
  const containers = await startContainers();
  let watched: RunningContainer[] = [];
  const collector = await openCollector(folder, () => watched);
  try {
    const host = await measureSweeps(collector.sweep);
    watched = containers;
    const twenty = await measureSweeps(collector.sweep);
    say(`  ${MANY} containers`);
    // Ten readers for each container cost what as many containers cost: each holds files of its own.
    watched = Array.from({ length: MANY }, (_, index) => ({
      app_id: `app_${index}`,
      container_id: (containers[index % CONTAINERS]?.container_id ?? "").slice(0, 12 + Math.floor(index / CONTAINERS)),
      started_at: null,
    }));
    const many = await measureSweeps(collector.sweep);
    const exporter = await exporterCost();
    return [
      {
        measure: `sampling, host and ${CONTAINERS} containers`,
        value: (twenty.cpuMs / CORE_MS) * 100,
        unit: "% of a core",
        limit: { kind: "most", value: 0.05 },
        baseline: null,
        note: `${twenty.cpuMs.toFixed(2)} ms of processor each 10 s, p50 ${median(twenty.times).toFixed(2)} ms, minutes written`,
      },
      {
        measure: `sweep of ${MANY} containers`,
        value: median(many.times),
        unit: "ms",
        limit: { kind: "most", value: 30 },
        baseline: null,
        note: `p95 ${percentile(many.times, 95).toFixed(2)} ms, ${percentile(many.ownTimes, 95).toFixed(2)} without waiting for a busy processor; ${many.cpuMs.toFixed(2)} ms of processor`,
      },
      {
        measure: "sweep of the host alone",
        value: host.cpuMs,
        unit: "ms of processor",
        limit: null,
        baseline: exporter?.cpuMs ?? null,
        note: exporter
          ? `baseline: a scrape of ${exporter.version} with the same collectors`
          : "prometheus-node-exporter is not installed: tests/setup.sh does it",
      },
    ];
  } finally {
    collector.close();
    await removeLabelled(LABEL);
  }
}

/** What measuring costs: the host, twenty containers of the real engine, and two hundred. */
export const sampleCost: Measure = {
  name: "sample",
  async run(bench) {
    const folder = mkdtempSync(join(tmpdir(), "orrery-bench-sample-"));
    try {
      return await measure(bench, folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
