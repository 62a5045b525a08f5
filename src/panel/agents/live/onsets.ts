import type { Reason } from "./health.ts";

/** Since when a node has been ill, milliseconds by reason. */
export type Onsets = Readonly<Partial<Record<Reason, number>>>;

const WELL: Onsets = Object.freeze({});

/** Remembers since when nodes are ill of what they measure or tell; those that are well take no room. */
export function createOnsets() {
  const known = new Map<number, Onsets>();

  return {
    of: (no: number): Onsets => known.get(no) ?? WELL,
    /** The node told at `now` what it is ill of: what it was ill of before began before, and what is over is forgotten. */
    follow(no: number, reasons: readonly Reason[], now: number): void {
      if (reasons.length === 0) return void known.delete(no);
      const before = known.get(no) ?? WELL;
      const isSame = reasons.every((reason) => reason in before) && Object.keys(before).length === reasons.length;
      if (!isSame) known.set(no, Object.fromEntries(reasons.map((reason) => [reason, before[reason] ?? now])));
    },
    restore(no: number, onsets: Onsets): void {
      if (Object.keys(onsets).length > 0) known.set(no, onsets);
    },
    forget: (no: number): void => void known.delete(no),
  };
}

export type OnsetsOfAll = ReturnType<typeof createOnsets>;
