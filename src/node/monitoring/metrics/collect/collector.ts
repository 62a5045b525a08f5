import type { Log } from "../../../../kernel/log.ts";
import { type Clock, toIso } from "../../../../lib/clock.ts";
import { minutes } from "../../../../lib/duration.ts";
import { type Filesystem, fullestOf, type Host, type HostCounters } from "../../../machine/index.ts";
import { compareCounters } from "../../system/index.ts";
import type { Values } from "../series/fold.ts";
import { type Recorder, SWEEP_MS } from "../series/recorder.ts";

/** Measures the host and its apps every 10 s, one sweep at a time. */
export interface Collector {
  /** Sweeps until `signal` aborts. */
  run(signal: AbortSignal): Promise<void>;
  /** One sweep now. The first one only gives the next something to compare with. */
  sweep(): Promise<void>;
}

/** What measures apps; `appsOf` gives their figures by app id. */
export interface AppMeter {
  sweep(): Promise<ReadonlyMap<string, Values>>;
}

interface Deps {
  clock: Clock;
  log: Log;
  host: Pick<Host, "counters" | "cpuTemperature" | "filesystems">;
  recorder: Recorder;
  apps: AppMeter;
}

/** Space changes slowly, and asking a dying disk takes its time. */
const FILESYSTEMS_MS = minutes(1);
/** Rates over a longer time (the machine slept) say nothing about its end. */
const MAX_SPAN_MS = 4 * SWEEP_MS;

/** Figures of the host and its interfaces, of what was compared up to the reading `after`. What the machine does not show is null. */
function hostFigures(
  live: ReturnType<typeof compareCounters>,
  after: HostCounters,
  host: Deps["host"],
  disks: readonly Filesystem[],
) {
  const hasCpu = after.cpu.all.length > 0;
  const total = live.ram_total_bytes;
  const sum = (pick: (iface: (typeof live.ifaces)[number]) => number): number | null =>
    live.ifaces.length === 0 ? null : live.ifaces.reduce((all, iface) => all + pick(iface), 0);
  const figures: Values = {
    cpu_percent: hasCpu ? live.cpu_percent : null,
    mem_percent: total > 0 ? (live.ram_used_bytes / total) * 100 : null,
    mem_used_bytes: total > 0 ? live.ram_used_bytes : null,
    swap_used_bytes: total > 0 ? live.swap_used_bytes : null,
    load1: live.load[0],
    disk_percent: fullestOf(disks)?.usage_percent ?? null,
    disk_read_bps: after.disks.length > 0 ? live.disk_io.read_bytes_per_sec : null,
    disk_write_bps: after.disks.length > 0 ? live.disk_io.write_bytes_per_sec : null,
    net_rx_bps: sum((iface) => iface.rx_bytes_per_sec),
    net_tx_bps: sum((iface) => iface.tx_bytes_per_sec),
    cpu_temp_c: host.cpuTemperature(),
  };
  const main = live.net.iface === "" ? [] : [{ ...live.net, name: live.net.iface }];
  const interfaces = [...live.ifaces, ...main].map(({ name, rx_bytes_per_sec, tx_bytes_per_sec }): [string, Values] => [
    `iface:${name}`,
    { rx_bps: rx_bytes_per_sec, tx_bps: tx_bytes_per_sec },
  ]);
  return new Map<string, Values>([["host", figures], ...interfaces]);
}

function diskFigures({ usage_percent, used_bytes, total_bytes, inode_percent }: Filesystem): Values {
  return { used_percent: usage_percent, used_bytes, total_bytes, inode_percent };
}

/** A collector that writes to `recorder`. */
export function createCollector({ clock, log, host, recorder, apps }: Deps): Collector {
  let before: HostCounters | null = null;
  let disks: Filesystem[] = [];
  let disksAskedAt = Number.NEGATIVE_INFINITY;

  /** In the background: a disk that does not answer must not hold up the others. */
  function refreshDisks(): Promise<void> | null {
    if (clock.monotonic() - disksAskedAt < FILESYSTEMS_MS) return null;
    disksAskedAt = clock.monotonic();
    return host.filesystems().then(
      (found) => {
        disks = found;
      },
      (error: unknown) => log.warn("filesystems cannot be measured", { error }),
    );
  }

  async function sweep(): Promise<void> {
    const asked = refreshDisks();
    const after = host.counters();
    const earlier = before;
    before = after;
    const used = await apps.sweep();
    if (!earlier) await asked;
    if (!earlier || after.at - earlier.at > MAX_SPAN_MS || after.at <= earlier.at) return;
    const live = compareCounters(earlier, after);
    const figures = hostFigures(live, after, host, disks);
    for (const disk of disks) figures.set(`fs:${disk.mount_point}`, diskFigures(disk));
    for (const [app, values] of used) figures.set(`app:${app}`, values);
    recorder.add(figures, live.per_core);
  }

  return {
    sweep,
    async run(signal) {
      while (!signal.aborted) {
        try {
          await sweep();
        } catch (error) {
          log.error("a sweep failed", { error, at: toIso(clock.now()) });
        }
        // On full tens of seconds, so that every minute has six.
        await clock.sleep(SWEEP_MS - (clock.now() % SWEEP_MS), signal);
      }
    },
  };
}
