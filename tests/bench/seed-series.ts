import type { Database } from "bun:sqlite";
import { hours, minutes } from "../../src/lib/duration.ts";
import { figuresOf, type Kind, kindOf, TIERS } from "../../src/node/monitoring/metrics/series/columns.ts";
import type { Values } from "../../src/node/monitoring/metrics/series/fold.ts";
import { writeProgress } from "../../src/node/monitoring/metrics/series/series-store.ts";
import { seedSeries } from "../kit/series.ts";

/** A number in [0, 1) that looks random and is the same in each run. */
const noise = (seed: number): number => {
  const x = Math.sin(seed * 12.9898) * 43_758.5453;
  return x - Math.floor(x);
};

/** Load of a working day with some noise, 0 to 1. */
function loadAt(t: number, place: number): number {
  const day = Math.sin((t / hours(24)) * 2 * Math.PI - 2) / 2 + 0.5;
  return Math.min(1, 0.1 + 0.5 * day * noise(place + 1) + 0.3 * noise(t / minutes(1) + place * 7));
}

/** A likely value of a figure under a load. */
function likelyValue(name: string, load: number, place: number): number {
  if (name.endsWith("_percent")) return load * 100;
  if (name === "total_bytes") return 500e9;
  if (name.endsWith("used_bytes")) return (0.3 + load / 3) * 32e9;
  if (name === "mem_bytes") return (0.2 + load) * 4e8 * (1 + noise(place));
  if (name.endsWith("_bps")) return load ** 3 * 5e6;
  return load * 60;
}

/** Figures of the `place`th entity at a time, none of them null. */
export function likelyFigures(kind: Kind, place: number, t: number): Values {
  const load = loadAt(t, place);
  return Object.fromEntries(figuresOf(kind).map(([name]) => [name, likelyValue(name, load, place)]));
}

/** The host, its interface and disk, and an entity for each app. */
export function entitiesOf(apps: readonly string[]): string[] {
  return ["host", "iface:eth0", "fs:/", ...apps.map((id) => `app:${id}`)];
}

/** Fills every tier as it is after a year that ends at `endMs`. */
export function seedYear(db: Database, apps: readonly string[], endMs: number): void {
  for (const [place, entity] of entitiesOf(apps).entries()) {
    const kind = kindOf(entity);
    if (!kind) continue;
    for (const tier of ["m1", "h1", "d1"] as const) {
      const { bucketMs, keep } = TIERS[tier];
      const from = endMs - (keep + 1) * bucketMs;
      seedSeries(db, { entity, tier, from, to: endMs, valuesAt: (t) => likelyFigures(kind, place, t) });
    }
  }
  writeProgress(db, "m1", Math.floor(endMs / TIERS.h1.bucketMs));
  writeProgress(db, "h1", Math.floor(endMs / TIERS.d1.bucketMs));
}
