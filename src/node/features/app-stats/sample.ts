import { seconds } from "../../../lib/duration.ts";
import type { NodeContext } from "../../context.ts";
import { getApp, listServices, type ServiceRow } from "../apps/index.ts";
import { readUsage, type Usage } from "./cgroup.ts";
import type { AppStats } from "./contract.ts";

const MIB = 1_048_576;
/** Askers within this time share one measurement. */
const SHARE_MS = 500;
/** An older measurement says nothing about now: another one is taken first, and a moment waited. */
const STALE_MS = seconds(15);
const FIRST_GAP_MS = 200;

interface Sample {
  usage: Usage;
  /** Monotonic milliseconds. */
  at: number;
}

interface Measured {
  name: string;
  usage: Usage;
  cpu_percent: number;
}

/** Measures apps by the kernel's own accounting; remembers the last figures to tell rates. */
export interface StatsReader {
  /** Throws `app_not_found`. A stopped app uses nothing. */
  read(appId: string): Promise<AppStats>;
}

type Deps = Pick<NodeContext, "db" | "runtime" | "clock">;

const round = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits;

/** CPU use between two readings, 100 for one core. */
export function cpuPercent(before: Sample, now: Sample): number {
  const elapsedNs = (now.at - before.at) * 1e6;
  return elapsedNs <= 0 ? 0 : Math.max(0, ((now.usage.cpu_ns - before.usage.cpu_ns) / elapsedNs) * 100);
}

/** A reader with a memory of its own. `diskBytes` gives the bytes that an app keeps on disk, as far as known. */
export function createStatsReader(deps: Deps, diskBytes: (appId: string) => number, serverBytes: number): StatsReader {
  const { db, runtime, clock } = deps;
  const pids = new Map<string, { startedAt: string | null; pid: number }>();
  const samples = new Map<string, Sample>();
  const shared = new Map<string, { at: number; stats: Promise<AppStats> }>();

  async function pidOf(container: string, startedAt: string | null): Promise<number> {
    const known = pids.get(container);
    if (known && known.startedAt === startedAt) return known.pid;
    const info = await runtime.engine()?.inspectContainer(container);
    const pid = info?.State.Pid ?? 0;
    if (pid > 0) pids.set(container, { startedAt, pid });
    return pid;
  }

  async function sample({ container_id, state, started_at }: ServiceRow): Promise<Sample | null> {
    if (container_id === null || state !== "running") return null;
    const pid = await pidOf(container_id, started_at);
    const usage = pid > 0 ? readUsage(pid) : null;
    if (!usage) pids.delete(container_id);
    return usage && { usage, at: clock.monotonic() };
  }

  async function measure(service: ServiceRow): Promise<Measured | null> {
    const id = service.container_id ?? "";
    let before = samples.get(id);
    if (!before || clock.monotonic() - before.at > STALE_MS) {
      before = (await sample(service)) ?? undefined;
      if (!before) return null;
      await clock.sleep(FIRST_GAP_MS);
    }
    const now = await sample(service);
    if (!now) {
      samples.delete(id);
      return null;
    }
    samples.set(id, now);
    return { name: service.name, usage: now.usage, cpu_percent: cpuPercent(before, now) };
  }

  async function readNow(appId: string): Promise<AppStats> {
    const measured = (await Promise.all(listServices(db, appId).map(measure))).filter((item) => item !== null);
    const sum = (pick: (item: Measured) => number) => measured.reduce((total, item) => total + pick(item), 0);
    const limit = sum(({ usage }) => usage.memory_limit_bytes ?? serverBytes);
    return {
      app_id: appId,
      cpu_percent: round(
        sum((item) => item.cpu_percent),
        2,
      ),
      memory_usage_mb: round(sum(({ usage }) => usage.memory_bytes) / MIB, 2),
      memory_limit_mb: round(Math.min(limit, serverBytes) / MIB, 2),
      network_rx_bytes: sum(({ usage }) => usage.rx_bytes),
      network_tx_bytes: sum(({ usage }) => usage.tx_bytes),
      disk_usage_mb: round(diskBytes(appId) / MIB, 2),
      services: measured.map(({ name, usage, cpu_percent }) => ({
        name,
        cpu_percent: round(cpu_percent, 2),
        memory_usage_mb: round(usage.memory_bytes / MIB, 2),
      })),
    };
  }

  return {
    read(appId) {
      getApp({ db }, appId);
      const recent = shared.get(appId);
      if (recent && clock.monotonic() - recent.at < SHARE_MS) return recent.stats;
      const stats = readNow(appId);
      shared.set(appId, { at: clock.monotonic(), stats });
      return stats;
    },
  };
}
