import { type Clock, toIso } from "../../../lib/clock.ts";
import { ratePerSecond } from "../../../lib/rate.ts";
import { busyPercent, type CoreTimes, type Host, type HostCounters } from "../../machine/index.ts";
import type { LiveMetrics } from "./contract.ts";

/** What the server is doing right now. Works only while somebody asks. */
export interface LiveSampler {
  /** The latest sample, shared by everybody who asks within 500 ms. A promise only where it has to wait for one. */
  sample(): LiveMetrics | Promise<LiveMetrics>;
  /** Takes the first reading, so that the first sample has something to compare with. */
  prime(): void;
}

const SHARED_MS = 500;
/** Shorter spans say nothing: the kernel counts processor time in steps of 10 ms. */
const MIN_SPAN_MS = 200;
/** After a longer pause a sample would show the mean of that pause instead of now. The history reads every 10 s. */
const MAX_SPAN_MS = 11_000;

function wholeRate(before: number | undefined, after: number, elapsedMs: number): number {
  return Math.round(ratePerSecond(before, after, elapsedMs));
}

/** The default route's interface, or the busiest one with hardware behind it. */
function mainInterface({ defaultInterface, net }: HostCounters): string {
  let busiest: HostCounters["net"][number] | null = null;
  for (const counter of net) {
    if (counter.name === defaultInterface) return defaultInterface;
    if (counter.physical && (!busiest || counter.rx + counter.tx > busiest.rx + busiest.tx)) busiest = counter;
  }
  return busiest?.name ?? "";
}

/** The entry of `list` with the same name; nearly always it stands at the same place. */
function sameName<T extends { name: string }>(list: readonly T[], index: number, name: string): T | undefined {
  const entry = list[index];
  return entry?.name === name ? entry : list.find((other) => other.name === name);
}

function coresBusy(before: readonly CoreTimes[], after: readonly CoreTimes[]): number[] {
  const shares: number[] = [];
  for (const { number, times } of after) {
    const entry = before[shares.length];
    const earlier = entry?.number === number ? entry : before.find((core) => core.number === number);
    shares.push(busyPercent(earlier?.times, times));
  }
  return shares;
}

function compareTraffic(before: HostCounters, after: HostCounters): Pick<LiveMetrics, "net" | "ifaces"> {
  const elapsed = after.at - before.at;
  const iface = mainInterface(after);
  let net = { iface, rx_bytes_per_sec: 0, tx_bytes_per_sec: 0 };
  const ifaces: LiveMetrics["ifaces"] = [];
  let main: LiveMetrics["ifaces"][number] | null = null;
  let index = 0;
  for (const { name, rx, tx, physical } of after.net) {
    const earlier = sameName(before.net, index, name);
    index += 1;
    const rx_bytes_per_sec = wholeRate(earlier?.rx, rx, elapsed);
    const tx_bytes_per_sec = wholeRate(earlier?.tx, tx, elapsed);
    const rates = { name, rx_bytes_per_sec, tx_bytes_per_sec };
    if (physical) ifaces.push(rates);
    if (name !== iface) continue;
    net = { iface, rx_bytes_per_sec, tx_bytes_per_sec };
    main = rates;
  }
  // In system containers no interface has hardware behind it; there the way out is the only one that means anything.
  if (main && ifaces.length === 0) ifaces.push(main);
  return { net, ifaces };
}

function compareDisks(before: HostCounters, after: HostCounters): LiveMetrics["disk_io"] {
  const elapsed = after.at - before.at;
  const sum = { read_bytes_per_sec: 0, write_bytes_per_sec: 0 };
  let index = 0;
  for (const { name, read, written } of after.disks) {
    const earlier = sameName(before.disks, index, name);
    index += 1;
    sum.read_bytes_per_sec += wholeRate(earlier?.read, read, elapsed);
    sum.write_bytes_per_sec += wholeRate(earlier?.written, written, elapsed);
  }
  return sum;
}

/**
 * Rates and shares between two readings. Whatever is new in the second one starts at 0. Plain loops over short lists: the
 * machine has done other things since the last call, and every line of code is fetched anew.
 */
export function compareCounters(before: HostCounters, after: HostCounters): Omit<LiveMetrics, "at" | "cpu_temp_c"> {
  const { net, ifaces } = compareTraffic(before, after);
  return {
    cpu_percent: busyPercent(before.cpu.all, after.cpu.all),
    per_core: coresBusy(before.cpu.cores, after.cpu.cores),
    load: after.load,
    ram_used_bytes: after.memory.used,
    ram_total_bytes: after.memory.total,
    swap_used_bytes: after.memory.swapUsed,
    net,
    ifaces,
    disk_io: compareDisks(before, after),
  };
}

/** `clock` gives the sample its time of day; spans are measured by the host's own clock. */
export function createLiveSampler(
  clock: Pick<Clock, "now">,
  host: Pick<Host, "clock" | "counters" | "latestCounters" | "cpuTemperature">,
): LiveSampler {
  let base: HostCounters | null = null;
  let last: { sample: LiveMetrics; at: number } | null = null;
  let waiting: Promise<LiveMetrics> | null = null;

  /** The newest reading that is old enough to compare with, whoever took it; else a young one; null when all are old. */
  function earlier(now: number): HostCounters | null {
    const latest = host.latestCounters();
    const [newer, older] = latest && base && base.at > latest.at ? [base, latest] : [latest ?? base, base];
    if (!newer || now - newer.at > MAX_SPAN_MS) return null;
    if (now - newer.at >= MIN_SPAN_MS || !older) return newer;
    const age = now - older.at;
    return age >= MIN_SPAN_MS && age <= MAX_SPAN_MS ? older : newer;
  }

  function compareWith(before: HostCounters): LiveMetrics {
    const after = host.counters();
    base = after;
    const cpu_temp_c = host.cpuTemperature();
    const sample = { at: toIso(clock.now()), ...compareCounters(before, after), cpu_temp_c };
    last = { sample, at: after.at };
    return sample;
  }

  async function waitFrom(before: HostCounters): Promise<LiveMetrics> {
    await host.clock.sleep(MIN_SPAN_MS - (host.clock.monotonic() - before.at));
    return compareWith(before);
  }

  return {
    prime() {
      base = host.counters();
      host.cpuTemperature();
    },
    sample() {
      const now = host.clock.monotonic();
      if (last && now - last.at < SHARED_MS) return last.sample;
      if (waiting) return waiting;
      const before = earlier(now) ?? host.counters();
      if (now - before.at >= MIN_SPAN_MS) return compareWith(before);
      waiting = waitFrom(before).finally(() => {
        waiting = null;
      });
      return waiting;
    },
  };
}
