/** Minutes of the last day, hours of the last 30 days, days of the last year. */
export type Tier = "m1" | "h1" | "d1";

/** What has figures. An entity's name starts with its kind, but for the host, which is alone: `app:<id>`, `iface:eth0`. */
export type Kind = "host" | "app" | "iface" | "fs";

/**
 * The figures of each kind and how many steps of one unit are kept: stored values are whole numbers, a thousandth of a
 * percent being 1. The order is that of the tables.
 */
export const FIGURES = {
  host: {
    cpu_percent: 1000,
    mem_percent: 1000,
    mem_used_bytes: 1,
    swap_used_bytes: 1,
    load1: 1000,
    disk_percent: 1000,
    disk_read_bps: 1,
    disk_write_bps: 1,
    net_rx_bps: 1,
    net_tx_bps: 1,
    cpu_temp_c: 10,
  },
  app: {
    cpu_percent: 1000,
    mem_bytes: 1,
    net_rx_bps: 1,
    net_tx_bps: 1,
    disk_read_bps: 1,
    disk_write_bps: 1,
  },
  iface: { rx_bps: 1, tx_bps: 1 },
  fs: { used_percent: 1000, used_bytes: 1, total_bytes: 1, inode_percent: 1000 },
} as const;

export const KINDS: readonly Kind[] = ["host", "app", "iface", "fs"];

/** Names and scales of a kind's figures, in the order of its tables. */
export function figuresOf(kind: Kind): [name: string, scale: number][] {
  return Object.entries(FIGURES[kind]);
}

/** The kind of an entity by its name; null for a name that is none. */
export function kindOf(entity: string): Kind | null {
  const kind = entity.split(":", 1)[0];
  return KINDS.find((known) => known === kind) ?? null;
}

/** Milliseconds of a bucket, and how many are kept before the next tier has to do. */
export const TIERS: Record<Tier, { bucketMs: number; keep: number }> = {
  m1: { bucketMs: 60_000, keep: 24 * 60 },
  h1: { bucketMs: 3_600_000, keep: 30 * 24 },
  d1: { bucketMs: 86_400_000, keep: 365 },
};
