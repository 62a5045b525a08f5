import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import { minutes, seconds } from "../../lib/duration.ts";
import { type CpuStat, parseCpuStat } from "./cpu-stat.ts";
import { parseDefaultRoute, parseDefaultRoute6 } from "./default-route.ts";
import { createDiskstatsReader, type DiskCounter, isDiskName } from "./diskstats.ts";
import { parseLoadavg } from "./load.ts";
import { type MemoryUse, parseArcReclaimable, parseMeminfo } from "./memory.ts";
import { type ProcFile, procFile } from "./proc-file.ts";
import { createTrafficReader, type Traffic } from "./traffic.ts";

/** Everything that moves, read at one moment. */
export interface HostCounters {
  /** Milliseconds of the monotonic clock. */
  at: number;
  cpu: CpuStat;
  load: [number, number, number];
  memory: MemoryUse;
  /** Interfaces with hardware behind them, and the one of the default route. */
  net: Traffic[];
  /** Interface of the default route; null when there is none. */
  defaultInterface: string | null;
  /** Whole disks only: partitions, volumes and arrays would count twice. */
  disks: DiskCounter[];
}

export interface CounterReader {
  /** One sweep over the kernel's files: no waiting, about 0.1 ms. */
  read(): HostCounters;
  /** Memory alone. */
  memory(): MemoryUse;
  close(): void;
}

const RECHECK_MS = minutes(1);
/** Routes change seldom, and reading them takes as long as reading the traffic. */
const ROUTES_MS = seconds(5);
/** The kernel itself reckons them anew every 5 s. */
const LOAD_MS = seconds(5);

/**
 * Reads the counters of the host whose files lie below `root`. Seen from another root, the network of process 1 is meant:
 * our own would be that of our container.
 */
export function createCounterReader(clock: Clock, root: string): CounterReader {
  const proc = (path: string): ProcFile => procFile(join(root, "proc", path));
  const net = root === "/" ? "net" : "1/net";
  const files = {
    stat: proc("stat"),
    loadavg: proc("loadavg"),
    meminfo: proc("meminfo"),
    diskstats: proc("diskstats"),
    route: proc(`${net}/route`),
    route6: proc(`${net}/ipv6_route`),
  };
  const hasZfs = existsSync(join(root, "proc/spl/kstat/zfs/arcstats"));
  const arc = hasZfs ? proc("spl/kstat/zfs/arcstats") : null;
  const traffic = createTrafficReader(clock, join(root, "sys/class/net"));
  const blocks = join(root, "sys/block");
  const disks = createDiskstatsReader((name) => isDiskName(name) && existsSync(join(blocks, name, "device")));

  let disksUntil = clock.monotonic() + RECHECK_MS;
  let load: { values: HostCounters["load"]; until: number } | null = null;
  let routes: { iface: string | null; until: number } | null = null;

  function defaultInterface(now: number): string | null {
    if (routes && now < routes.until) return routes.iface;
    const iface = parseDefaultRoute(files.route.read()) ?? parseDefaultRoute6(files.route6.read());
    routes = { iface, until: now + ROUTES_MS };
    return iface;
  }

  function loadAverages(now: number): HostCounters["load"] {
    if (!load || now >= load.until) load = { values: parseLoadavg(files.loadavg.scan()), until: now + LOAD_MS };
    return load.values;
  }

  /** Devices come and go while we run, and their names with them. */
  function diskCounters(now: number): DiskCounter[] {
    if (now >= disksUntil) {
      disks.forget();
      disksUntil = now + RECHECK_MS;
    }
    return disks.read(files.diskstats.scan());
  }

  const memory = (): MemoryUse => {
    const reclaimable = arc ? parseArcReclaimable(arc.read()) : 0;
    return parseMeminfo(files.meminfo.scan(), reclaimable);
  };

  return {
    memory,
    read: () => {
      const at = clock.monotonic();
      const iface = defaultInterface(at);
      return {
        at,
        cpu: parseCpuStat(files.stat.scan()),
        load: loadAverages(at),
        memory: memory(),
        net: traffic.read(iface),
        defaultInterface: iface,
        disks: diskCounters(at),
      };
    },
    close() {
      for (const file of Object.values(files)) file.close();
      arc?.close();
      traffic.close();
    },
  };
}
