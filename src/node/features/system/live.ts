import { type Clock, toIso } from "../../../lib/clock.ts";
import { ratePerSecond } from "../../../lib/rate.ts";
import { busyPercent, type Host, type HostCounters } from "../../host/index.ts";
import type { LiveMetrics } from "./contract.ts";

/** What the server is doing right now. Works only while somebody asks. */
export interface LiveSampler {
  /** The latest sample, shared by everybody who asks within 500 ms. */
  sample(): Promise<LiveMetrics>;
  /** Takes the first reading, so that the first sample has something to compare with. */
  prime(): void;
}

const SHARED_MS = 500;
/** Shorter spans say nothing: the kernel counts processor time in steps of 10 ms. */
const MIN_SPAN_MS = 200;
/** After a longer pause a sample would show the mean of that pause instead of now. The history reads every 10 s. */
const MAX_SPAN_MS = 11_000;

interface Traffic {
  rx_bytes_per_sec: number;
  tx_bytes_per_sec: number;
}

const QUIET: Traffic = { rx_bytes_per_sec: 0, tx_bytes_per_sec: 0 };

/** The default route's interface, or the busiest one with hardware behind it. */
function mainInterface({ defaultInterface, net }: HostCounters): string {
  if (defaultInterface !== null && net.some(({ name }) => name === defaultInterface)) return defaultInterface;
  const byTraffic = net.filter(({ physical }) => physical).sort((a, b) => b.rx + b.tx - (a.rx + a.tx));
  return byTraffic[0]?.name ?? "";
}

/** Rates and shares between two readings. Whatever is new in the second one starts at 0. */
export function compareCounters(before: HostCounters, after: HostCounters): Omit<LiveMetrics, "at" | "cpu_temp_c"> {
  const elapsed = after.at - before.at;
  const rate = (from: number | undefined, to: number): number => Math.round(ratePerSecond(from, to, elapsed));

  const netBefore = new Map(before.net.map((counter) => [counter.name, counter]));
  const traffic = new Map<string, Traffic>();
  for (const { name, rx, tx } of after.net) {
    const earlier = netBefore.get(name);
    traffic.set(name, { rx_bytes_per_sec: rate(earlier?.rx, rx), tx_bytes_per_sec: rate(earlier?.tx, tx) });
  }
  const disksBefore = new Map(before.disks.map((counter) => [counter.name, counter]));
  const disk_io = { read_bytes_per_sec: 0, write_bytes_per_sec: 0 };
  for (const { name, read, written } of after.disks) {
    const earlier = disksBefore.get(name);
    disk_io.read_bytes_per_sec += rate(earlier?.read, read);
    disk_io.write_bytes_per_sec += rate(earlier?.written, written);
  }

  const iface = mainInterface(after);
  const physical = after.net.filter((counter) => counter.physical).map(({ name }) => name);
  // In system containers no interface has hardware behind it; there the way out is the only one that means anything.
  const shown = physical.length === 0 && iface !== "" ? [iface] : physical;
  return {
    cpu_percent: busyPercent(before.cpu.all, after.cpu.all),
    per_core: [...after.cpu.cores].map(([name, times]) => busyPercent(before.cpu.cores.get(name), times)),
    load: after.load,
    ram_used_bytes: after.memory.used,
    ram_total_bytes: after.memory.total,
    swap_used_bytes: after.memory.swapUsed,
    net: { iface, ...(traffic.get(iface) ?? QUIET) },
    ifaces: shown.map((name) => ({ name, ...(traffic.get(name) ?? QUIET) })),
    disk_io,
  };
}

/** `clock` gives the sample its time of day; spans are measured by the host's own clock. */
export function createLiveSampler(
  clock: Pick<Clock, "now">,
  host: Pick<Host, "clock" | "counters" | "latestCounters" | "cpuTemperature">,
): LiveSampler {
  let base: HostCounters | null = null;
  let last: { sample: LiveMetrics; at: number } | null = null;
  let running: Promise<LiveMetrics> | null = null;

  /** The newest reading that is old enough to compare with, whoever took it; else a young one; null when all are old. */
  function earlier(): HostCounters | null {
    const now = host.clock.monotonic();
    const readings = [host.latestCounters(), base]
      .filter((reading) => reading !== null)
      .filter(({ at }) => now - at <= MAX_SPAN_MS)
      .sort((a, b) => b.at - a.at);
    return readings.find(({ at }) => now - at >= MIN_SPAN_MS) ?? readings[0] ?? null;
  }

  async function measure(): Promise<LiveMetrics> {
    const before = earlier() ?? host.counters();
    const wait = MIN_SPAN_MS - (host.clock.monotonic() - before.at);
    if (wait > 0) await host.clock.sleep(wait);
    const after = host.counters();
    base = after;
    const cpu_temp_c = host.cpuTemperature();
    const sample = { at: toIso(clock.now()), ...compareCounters(before, after), cpu_temp_c };
    last = { sample, at: after.at };
    return sample;
  }

  return {
    prime() {
      base = host.counters();
      host.cpuTemperature();
    },
    async sample() {
      if (last && host.clock.monotonic() - last.at < SHARED_MS) return last.sample;
      running ??= measure().finally(() => {
        running = null;
      });
      return running;
    },
  };
}
