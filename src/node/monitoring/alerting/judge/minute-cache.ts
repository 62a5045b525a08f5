import type { Own } from "../needs.ts";
import { createMinutes, MINUTE_MS, type Minutes } from "./minutes.ts";

/** The minutes of each entity and metric, read once. */
export interface MinuteCache {
  of(entity: string, metric: string): Minutes;
}

/** Reads rows from `from` to `to` when they are first asked for; every metric of an entity comes from one read. */
export function createMinuteCache({ series }: Pick<Own, "series">, from: number, to: number): MinuteCache {
  const rows = new Map<string, ReturnType<typeof series.read>>();
  const minutes = new Map<string, Minutes>();
  const start = Math.floor(from / MINUTE_MS) * MINUTE_MS;
  return {
    of(entity, metric) {
      const key = `${metric} ${entity}`;
      const known = minutes.get(key);
      if (known) return known;
      const all = rows.get(entity) ?? series.read(entity, "m1", start, to);
      rows.set(entity, all);
      const made = createMinutes(
        all.map(({ t, n, avg }) => ({ t, n, value: avg[metric] ?? null })),
        start,
        to,
      );
      minutes.set(key, made);
      return made;
    },
  };
}
