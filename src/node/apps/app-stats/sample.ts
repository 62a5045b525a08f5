import { seconds } from "../../../lib/duration.ts";
import { openContainer, type Usage } from "../../machine/index.ts";
import type { ServiceRow } from "../apps/index.ts";
import type { AppStats } from "./contract.ts";
import type { Needs } from "./needs.ts";
import { createPidFinder } from "./pids.ts";

const MIB = 1_048_576;
/** Askers within this time share one measurement. */
const SHARE_MS = 500;
/** An older measurement says nothing about now: another one is taken first, and a moment waited. */
const STALE_MS = seconds(15);
const FIRST_GAP_MS = 200;

interface Sample {
  usage: Usage;
  /** Null: as much as the server has. */
  limit: number | null;
  /** Monotonic milliseconds. */
  at: number;
}

interface Measured {
  name: string;
  usage: Usage;
  limit: number | null;
  cpu_percent: number;
}

/** Measures apps by the kernel's own accounting; remembers the last figures to tell rates. */
export interface StatsReader {
  /** Throws `app_not_found`. A stopped app uses nothing. */
  read(appId: string): Promise<AppStats>;
}

type Deps = Pick<Needs, "apps" | "runtime" | "clock" | "config" | "host">;

const round = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits;

/** CPU use between two readings, 100 for one core. */
export function cpuPercent(before: Pick<Sample, "usage" | "at">, now: Pick<Sample, "usage" | "at">): number {
  const elapsedNs = (now.at - before.at) * 1e6;
  return elapsedNs <= 0 ? 0 : Math.max(0, ((now.usage.cpu_ns - before.usage.cpu_ns) / elapsedNs) * 100);
}

/** The sum of what was counted; null when nothing was, though there was something to count. */
export function sumKnown(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 && values.length > 0 ? null : known.reduce((total, value) => total + value, 0);
}

const megabytes = (bytes: number | null): number | null => (bytes === null ? null : round(bytes / MIB, 2));

/** What the services may use together: all of the server when one has no limit; null when that is not known. */
export function sumLimits(limits: readonly (number | null)[], serverBytes: number): number | null {
  const sum = limits.some((limit) => limit === null) ? serverBytes : limits.reduce<number>((a, b) => a + (b ?? 0), 0);
  if (serverBytes === 0) return limits.some((limit) => limit === null) ? null : sum;
  return Math.min(sum, serverBytes);
}

/** A reader with a memory of its own. */
export function createStatsReader(deps: Deps): StatsReader {
  const { apps, clock, config, host } = deps;
  const pids = createPidFinder(deps);
  const samples = new Map<string, Sample>();
  const shared = new Map<string, { at: number; stats: Promise<AppStats> }>();

  async function sample({ container_id, state, started_at }: ServiceRow): Promise<Sample | null> {
    if (container_id === null || state !== "running") return null;
    const pid = await pids.find(container_id, started_at);
    const meter = pid === null ? null : openContainer(pid, config.host_root);
    const usage = meter?.read() ?? null;
    const limit = meter?.memoryLimit() ?? null;
    meter?.close();
    if (!usage) pids.forget(container_id);
    return usage && { usage, limit, at: clock.monotonic() };
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
    return { name: service.name, usage: now.usage, limit: now.limit, cpu_percent: cpuPercent(before, now) };
  }

  async function readNow(appId: string): Promise<AppStats> {
    const measured = (await Promise.all(apps.listServices(appId).map(measure))).filter((item) => item !== null);
    const all = (pick: (item: Measured) => number | null) => sumKnown(measured.map(pick));
    return {
      app_id: appId,
      cpu_percent: round(all((item) => item.cpu_percent) ?? 0, 2),
      memory_usage_mb: megabytes(all(({ usage }) => usage.memory_bytes)),
      memory_limit_mb: megabytes(
        sumLimits(
          measured.map(({ limit }) => limit),
          host.memory().total,
        ),
      ),
      network_rx_bytes: all(({ usage }) => usage.rx_bytes),
      network_tx_bytes: all(({ usage }) => usage.tx_bytes),
      disk_usage_mb: megabytes(apps.diskBytes(appId)),
      services: measured.map(({ name, usage, cpu_percent }) => ({
        name,
        cpu_percent: round(cpu_percent, 2),
        memory_usage_mb: megabytes(usage.memory_bytes),
      })),
    };
  }

  return {
    read(appId) {
      apps.get(appId);
      const recent = shared.get(appId);
      if (recent && clock.monotonic() - recent.at < SHARE_MS) return recent.stats;
      const stats = readNow(appId);
      shared.set(appId, { at: clock.monotonic(), stats });
      return stats;
    },
  };
}
