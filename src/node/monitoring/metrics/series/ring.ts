import type { Clock } from "../../../../lib/clock.ts";
import { hours } from "../../../../lib/duration.ts";
import { kindOf } from "./columns.ts";
import type { Values } from "./fold.ts";
import { LAG_MS, SWEEP_MS, type Sweep } from "./recorder.ts";

/** The samples of the last hour, of the host and its interfaces: what is finer than a minute is kept in memory only. */
export interface Ring {
  add(sweep: Sweep): void;
  /** Samples with `fromMs <= t < toMs`, ascending; `t` is the start of their 10 s. */
  read(entity: string, fromMs: number, toMs: number): { t: number; values: Values }[];
}

const SLOTS = hours(1) / SWEEP_MS;

export function createRing(clock: Pick<Clock, "now">): Ring {
  const rings = new Map<string, { slot: number; values: Values }[]>();
  return {
    add(sweep) {
      const slot = Math.floor((clock.now() - LAG_MS) / SWEEP_MS);
      for (const [name, values] of sweep) {
        const kind = kindOf(name);
        if (kind !== "host" && kind !== "iface") continue;
        const ring = rings.get(name) ?? [];
        ring[((slot % SLOTS) + SLOTS) % SLOTS] = { slot, values };
        rings.set(name, ring);
      }
    },
    read(entity, fromMs, toMs) {
      const [from, to] = [Math.ceil(fromMs / SWEEP_MS), Math.ceil(toMs / SWEEP_MS)];
      return (rings.get(entity) ?? [])
        .filter((entry) => entry !== undefined && entry.slot >= from && entry.slot < to)
        .sort((a, b) => a.slot - b.slot)
        .map(({ slot, values }) => ({ t: slot * SWEEP_MS, values }));
    },
  };
}
