import type { Database } from "bun:sqlite";
import { kindOf, TIERS, type Tier } from "../../src/node/monitoring/metrics/series/columns.ts";
import { emptyFold, foldedRow, foldValues, type Values } from "../../src/node/monitoring/metrics/series/fold.ts";
import { keepEntity, mergeRow } from "../../src/node/monitoring/metrics/series/series-store.ts";

const SAMPLES: Record<Tier, number> = { m1: 6, h1: 360, d1: 8640 };

interface Seed {
  entity: string;
  tier: Tier;
  /** From the bucket of `from` up to that of `to`; ms UTC. */
  from: number;
  to: number;
  /** Averages of the bucket that starts at `t`; null leaves it out. */
  valuesAt: (t: number) => Values | null;
}

/** Writes whole buckets of a series as if they had been measured. */
export function seedSeries(db: Database, { entity, tier, from, to, valuesAt }: Seed): void {
  const kind = kindOf(entity);
  if (!kind) throw new Error(`${entity} is no entity`);
  const { bucketMs } = TIERS[tier];
  db.transaction(() => {
    const id = keepEntity(db, entity, kind);
    for (let bucket = Math.floor(from / bucketMs); bucket < Math.floor(to / bucketMs); bucket++) {
      const values = valuesAt(bucket * bucketMs);
      if (!values) continue;
      const fold = emptyFold(kind);
      foldValues(fold, values);
      mergeRow(db, tier, kind, id, { ...foldedRow(fold, bucket), n: SAMPLES[tier] });
    }
  })();
}
