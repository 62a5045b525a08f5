/** How a metric of the server is judged. */
export interface MetricRules {
  /** Deviations below this are nobody's concern, however regular the metric is; in its own unit. */
  floor: number;
  /** What people call it. */
  title: string;
}

const KIB = 1024;
const MIB = 1024 * KIB;

/**
 * Metrics of the series entity `host` that have a baseline. How full disks are is left out: that grows and does not repeat,
 * so it has forecasts instead.
 */
export const BASELINE_METRICS: Readonly<Record<string, MetricRules>> = {
  cpu_percent: { floor: 2, title: "Processor use" },
  mem_percent: { floor: 2, title: "Memory use" },
  mem_used_bytes: { floor: 256 * MIB, title: "Memory use" },
  swap_used_bytes: { floor: 64 * MIB, title: "Swap use" },
  load1: { floor: 0.25, title: "Load" },
  disk_read_bps: { floor: 256 * KIB, title: "Disk reads" },
  disk_write_bps: { floor: 256 * KIB, title: "Disk writes" },
  net_rx_bps: { floor: 64 * KIB, title: "Network in" },
  net_tx_bps: { floor: 64 * KIB, title: "Network out" },
  cpu_temp_c: { floor: 3, title: "Processor temperature" },
};

/** Two names of the same series would report everything twice. */
const SAME_AS: Readonly<Record<string, string>> = { mem_used_bytes: "mem_percent" };

/** The contract's own short names. */
const ALIASES: Readonly<Record<string, string>> = {
  mem_used: "mem_used_bytes",
  cpu: "cpu_percent",
  ram: "mem_percent",
};

/** The series' name of a metric that a caller named; null when there is no baseline for it. */
export function metricName(asked: string): string | null {
  const name = ALIASES[asked] ?? asked;
  return Object.hasOwn(BASELINE_METRICS, name) ? name : null;
}

/** Metrics whose anomalies are told; the others are learned for rules that ask for them. */
export function isTold(metric: string): boolean {
  return !Object.hasOwn(SAME_AS, metric);
}
