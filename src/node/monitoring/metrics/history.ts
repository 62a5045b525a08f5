import { kernelFail } from "../../../kernel/http/errors.ts";
import { toIso } from "../../../lib/clock.ts";
import { minutes, seconds } from "../../../lib/duration.ts";
import type { HistoryRange, NetworkHistory } from "./contract.ts";
import type { Own } from "./needs.ts";

/** Spans and buckets of the contract; the short ones are finer than a minute and come out of memory. */
const RANGES: Record<HistoryRange, { spanMs: number; bucketMs: number }> = {
  "5m": { spanMs: minutes(5), bucketMs: seconds(10) },
  "15m": { spanMs: minutes(15), bucketMs: seconds(30) },
  "1h": { spanMs: minutes(60), bucketMs: minutes(1) },
  "6h": { spanMs: minutes(360), bucketMs: minutes(5) },
  "24h": { spanMs: minutes(1440), bucketMs: minutes(15) },
};

/** A bucket that ended this moment may still be on its way. */
const GRACE_MS = 1_500;

type Deps = Pick<Own, "series" | "ring" | "clock" | "host">;

interface Part {
  t: number;
  n: number;
  rx: number | null;
  tx: number | null;
}

function partsOf({ series, ring }: Deps, iface: string, bucketMs: number, fromMs: number, toMs: number): Part[] {
  const entity = `iface:${iface}`;
  if (bucketMs < minutes(1)) {
    return ring
      .read(entity, fromMs, toMs)
      .map(({ t, values }) => ({ t, n: 1, rx: values["rx_bps"] ?? null, tx: values["tx_bps"] ?? null }));
  }
  return series
    .read(entity, "m1", fromMs, toMs)
    .map(({ t, n, avg }) => ({ t, n, rx: avg["rx_bps"] ?? null, tx: avg["tx_bps"] ?? null }));
}

function mean(parts: readonly Part[], pick: (part: Part) => number | null): number {
  const known = parts.filter((part) => pick(part) !== null);
  const weight = known.reduce((sum, { n }) => sum + n, 0);
  return weight === 0 ? 0 : Math.round(known.reduce((sum, part) => sum + (pick(part) ?? 0) * part.n, 0) / weight);
}

/** True for an interface that the host has, or that was measured while it had it. */
function isKnown({ host, series, ring }: Deps, iface: string, fromMs: number, toMs: number): boolean {
  const entity = `iface:${iface}`;
  return (
    host.interfaces().some(({ name }) => name === iface) ||
    series.entities("iface").some((known) => known.entity === entity) ||
    ring.read(entity, fromMs, toMs).length > 0
  );
}

/**
 * Traffic of an interface in full buckets up to now, oldest first; a bucket without samples reports 0
 * and says that nothing was measured. Throws `invalid_request`.
 */
export function readNetworkHistory(deps: Deps, iface: string, range: HistoryRange): NetworkHistory {
  const { spanMs, bucketMs } = RANGES[range];
  const toMs = Math.floor((deps.clock.now() - GRACE_MS) / bucketMs) * bucketMs;
  const fromMs = toMs - spanMs;
  if (!isKnown(deps, iface, fromMs, toMs)) {
    const reason = `is none of this server's: ${deps.host
      .interfaces()
      .map(({ name }) => name)
      .join(", ")}`;
    throw kernelFail("invalid_request", { field: "interface", reason });
  }
  const parts = Map.groupBy(partsOf(deps, iface, bucketMs, fromMs, toMs), ({ t }) => Math.floor(t / bucketMs));
  const points: NetworkHistory["points"] = [];
  for (let t = fromMs; t < toMs; t += bucketMs) {
    const inside = parts.get(t / bucketMs) ?? [];
    points.push({
      ts: toIso(t),
      rx_bytes_per_sec: mean(inside, ({ rx }) => rx),
      tx_bytes_per_sec: mean(inside, ({ tx }) => tx),
      measured: inside.length > 0,
    });
  }
  return { interface: iface, range, bucket_seconds: bucketMs / 1000, points };
}
