import type { Database } from "bun:sqlite";
import { hours, minutes } from "../../src/lib/duration.ts";
import { figuresOf, type Kind, TIERS } from "../../src/node/features/metrics/columns.ts";
import type { Tier } from "../../src/node/features/metrics/series.ts";
import { keepEntity, mergeRow, writeProgress } from "../../src/node/features/metrics/series-store.ts";

/** A number in [0, 1) that looks random and is the same in each run. */
const noise = (seed: number): number => {
  const x = Math.sin(seed * 12.9898) * 43_758.5453;
  return x - Math.floor(x);
};

/** Load of a working day with some noise, 0 to 1. */
function loadAt(t: number, entity: number): number {
  const day = Math.sin((t / hours(24)) * 2 * Math.PI - 2) / 2 + 0.5;
  return Math.min(1, 0.1 + 0.5 * day * noise(entity + 1) + 0.3 * noise(t / minutes(1) + entity * 7));
}

/** A likely value of a figure, in stored steps. */
function figureOf(name: string, scale: number, load: number, entity: number): number {
  if (name.endsWith("_percent")) return Math.round(load * 100 * scale);
  if (name === "total_bytes") return 500e9;
  if (name.endsWith("used_bytes")) return Math.round((0.3 + load / 3) * 32e9);
  if (name === "mem_bytes") return Math.round((0.2 + load) * 4e8 * (1 + noise(entity)));
  if (name.endsWith("_bps")) return Math.round(load ** 3 * 5e6);
  return Math.round(load * 60 * scale);
}

/** Writes full tiers as they are after a year that ends at `endMs`: the host, its interface and disk, and `apps`. */
export function seedSeries(db: Database, apps: readonly string[], endMs: number): void {
  const entities: [name: string, kind: Kind][] = [
    ["host", "host"],
    ["iface:eth0", "iface"],
    ["fs:/", "fs"],
    ...apps.map((id): [string, Kind] => [`app:${id}`, "app"]),
  ];
  db.transaction(() => {
    for (const [index, [name, kind]] of entities.entries()) {
      const id = keepEntity(db, name, kind);
      for (const tier of ["m1", "h1", "d1"] as const) fillTier(db, tier, kind, id, index, endMs);
    }
    writeProgress(db, "m1", Math.floor(endMs / TIERS.h1.bucketMs));
    writeProgress(db, "h1", Math.floor(endMs / TIERS.d1.bucketMs));
    writeProgress(db, "steady_minutes", 365 * 24 * 60);
  })();
}

function fillTier(db: Database, tier: Tier, kind: Kind, id: number, index: number, endMs: number): void {
  const { bucketMs, keep } = TIERS[tier];
  const last = Math.floor(endMs / bucketMs);
  for (let bucket = last - keep - 1; bucket < last; bucket++) {
    const load = loadAt(bucket * bucketMs, index);
    const avg = figuresOf(kind).map(([name, scale]) => figureOf(name, scale, load, index));
    mergeRow(db, tier, kind, id, {
      bucket,
      n: (6 * bucketMs) / TIERS.m1.bucketMs,
      avg,
      max: avg.map((value) => Math.round(value * 1.1)),
    });
  }
}
