import type { Unit, Watched, WatchedMetric } from "../../watched.ts";

const metric = (
  kind: string,
  name: string,
  label: string,
  unit: Unit,
  aliases: readonly string[] = [],
): WatchedMetric => ({ kind, name, label, unit, aliases });

/** What is measured, as alert rules can watch it. A name without a kind means the first that has it. */
export const WATCHED_METRICS: Watched = {
  metrics: [
    metric("host", "cpu_percent", "Processor use", "percent", ["cpu"]),
    metric("host", "mem_percent", "Memory use", "percent", ["ram", "mem"]),
    metric("host", "mem_used_bytes", "Memory in use", "bytes", ["mem_used"]),
    metric("host", "swap_used_bytes", "Swap in use", "bytes"),
    metric("host", "load1", "Load", "none"),
    metric("host", "disk_percent", "Fullest disk", "percent", ["disk"]),
    metric("host", "disk_read_bps", "Disk reads", "bps"),
    metric("host", "disk_write_bps", "Disk writes", "bps"),
    metric("host", "net_rx_bps", "Network in", "bps"),
    metric("host", "net_tx_bps", "Network out", "bps"),
    metric("host", "cpu_temp_c", "Processor temperature", "celsius"),
    metric("app", "cpu_percent", "Processor use", "percent", ["cpu"]),
    metric("app", "mem_bytes", "Memory in use", "bytes"),
    metric("app", "net_rx_bps", "Network in", "bps"),
    metric("app", "net_tx_bps", "Network out", "bps"),
    metric("app", "disk_read_bps", "Disk reads", "bps"),
    metric("app", "disk_write_bps", "Disk writes", "bps"),
    metric("iface", "rx_bps", "Network in", "bps"),
    metric("iface", "tx_bps", "Network out", "bps"),
    metric("fs", "used_percent", "Space in use", "percent"),
    metric("fs", "used_bytes", "Space in use", "bytes"),
    metric("fs", "inode_percent", "Inodes in use", "percent"),
  ],
};
