import type { Measure } from "../../../kernel/prometheus.ts";
import type { FilesystemEntry, LiveMetrics, SystemOverview } from "./contract.ts";

const gauge = (name: string, help: string, ...figures: Measure["figures"]): Measure => ({
  name: `orrery_node_${name}`,
  help,
  type: "gauge",
  figures,
});

/** How the server is, as scrapers read it. */
export function describeMeasures(
  overview: SystemOverview,
  live: LiveMetrics,
  filesystems: readonly FilesystemEntry[],
): Measure[] {
  const { version, hostname, apps, containers, alerts } = overview;
  const [one, five, fifteen] = live.load;
  const direction = (is: "in" | "out", rx: number, tx: number) => (is === "in" ? rx : tx);
  const traffic = live.ifaces.flatMap(({ name, rx_bytes_per_sec, tx_bytes_per_sec }) =>
    (["in", "out"] as const).map((is) => ({
      labels: { iface: name, direction: is },
      value: direction(is, rx_bytes_per_sec, tx_bytes_per_sec),
    })),
  );
  const perDisk = (read: (entry: FilesystemEntry) => number): Measure["figures"] =>
    filesystems.map((entry) => ({
      labels: { mount_point: entry.mount_point, device: entry.device },
      value: read(entry),
    }));
  return [
    gauge("info", "The running program", { labels: { version, hostname }, value: 1 }),
    gauge("host_uptime_seconds", "Since the server started", { value: overview.uptime_seconds }),
    gauge("cpu_percent", "Processor use of all threads together, 100 is all of them", { value: live.cpu_percent }),
    gauge("cpu_temperature_celsius", "Temperature of the processor, where it has a sensor", { value: live.cpu_temp_c }),
    gauge(
      "load",
      "Load average over so many minutes",
      { labels: { minutes: "1" }, value: one },
      { labels: { minutes: "5" }, value: five },
      { labels: { minutes: "15" }, value: fifteen },
    ),
    gauge("memory_used_bytes", "Memory in use", { value: live.ram_used_bytes }),
    gauge("memory_total_bytes", "Memory there is", { value: live.ram_total_bytes }),
    gauge("swap_used_bytes", "Swap in use", { value: live.swap_used_bytes }),
    gauge("network_bytes_per_second", "Traffic of each interface", ...traffic),
    gauge(
      "disk_io_bytes_per_second",
      "What all disks read and write",
      { labels: { direction: "read" }, value: live.disk_io.read_bytes_per_sec },
      { labels: { direction: "write" }, value: live.disk_io.write_bytes_per_sec },
    ),
    gauge("filesystem_size_bytes", "Size of each filesystem", ...perDisk(({ total_bytes }) => total_bytes)),
    gauge("filesystem_used_bytes", "What is used of it", ...perDisk(({ used_bytes }) => used_bytes)),
    gauge("filesystem_free_bytes", "What ordinary users can still write", ...perDisk(({ free_bytes }) => free_bytes)),
    gauge("apps_installed", "Installed apps", { value: apps.installed }),
    gauge("apps_running", "Apps that run", { value: apps.running }),
    gauge("containers_running", "Containers that run", { value: containers.running }),
    gauge("containers_total", "Containers there are", { value: containers.total }),
    gauge("alerts_open", "Open alerts", { value: alerts.open }),
    gauge("alerts_critical", "Open alerts that are critical", { value: alerts.critical }),
  ];
}
