/** Units of values; screens and messages write them out. */
export type Unit = "percent" | "bytes" | "bps" | "celsius" | "none";

/** A unit as the API, channels and webhooks tell it: null for figures without one. */
export const tellUnit = (unit: string): string | null => (unit === "none" ? null : unit);

/** What an alert can be about; the part of an entity's name before the colon. */
export type Kind = "host" | "app" | "iface" | "fs" | "disk" | "backup" | "domain";

export interface Metric {
  name: string;
  kind: Kind;
  /** For people, as in "Processor use of this server". */
  label: string;
  unit: Unit;
}

const metric = (kind: Kind, name: string, label: string, unit: Unit): Metric => ({ name, kind, label, unit });

/** What threshold, rate, absence and anomaly rules can watch; names as in the series. */
export const MEASURED: readonly Metric[] = [
  metric("host", "cpu_percent", "Processor use", "percent"),
  metric("host", "mem_percent", "Memory use", "percent"),
  metric("host", "mem_used_bytes", "Memory in use", "bytes"),
  metric("host", "swap_used_bytes", "Swap in use", "bytes"),
  metric("host", "load1", "Load", "none"),
  metric("host", "disk_percent", "Fullest disk", "percent"),
  metric("host", "disk_read_bps", "Disk reads", "bps"),
  metric("host", "disk_write_bps", "Disk writes", "bps"),
  metric("host", "net_rx_bps", "Network in", "bps"),
  metric("host", "net_tx_bps", "Network out", "bps"),
  metric("host", "cpu_temp_c", "Processor temperature", "celsius"),
  metric("app", "cpu_percent", "Processor use", "percent"),
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
];

/** What state rules can watch: facts that events tell. */
export const STATES: readonly Metric[] = [
  metric("app", "app_crashed", "Crash", "none"),
  metric("app", "app_crash_loop", "Crash loop", "none"),
  metric("backup", "backup_failed", "Failed backup", "none"),
  metric("disk", "disk_health", "Disk health", "none"),
  metric("domain", "certificate", "Certificate", "none"),
];

/** Short names of the contract. */
const ALIASES: Record<string, string> = {
  cpu: "cpu_percent",
  ram: "mem_percent",
  mem: "mem_percent",
  mem_used: "mem_used_bytes",
  disk: "disk_percent",
};

/** Kind of an entity or of a selector such as `app:*`; null for a text that is neither. */
export function kindOf(entity: string): Kind | null {
  const [head = "", ...rest] = entity.split(":");
  if (head === "host" || head === "backup") return rest.length === 0 || rest[0] === "*" ? head : null;
  const kind = (["app", "iface", "fs", "disk", "domain"] as const).find((known) => known === head);
  return kind !== undefined && rest.join(":") !== "" ? kind : null;
}

/** The metric of that name for a kind, or of the first kind that has it; null when there is none. */
export function findMetric(list: readonly Metric[], name: string, kind: Kind | null): Metric | null {
  const full = ALIASES[name] ?? name;
  return list.find((one) => one.name === full && (kind === null || one.kind === kind)) ?? null;
}

/** The selector a metric's rule gets when none is named. */
export const defaultEntity = (kind: Kind): string => (kind === "host" || kind === "backup" ? kind : `${kind}:*`);
