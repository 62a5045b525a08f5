import type { Clock } from "./clock.ts";
import { createPlaces, type PlaceLimit } from "./places.ts";

/** How many places there are in all, and how they are shared. */
export interface SharingRules {
  size: number;
  /** Where nobody has more than another one, whoever was here for longer than this makes room; null: nobody does. */
  fairMs: number | null;
}

/** A place, or, with nothing taken, the limit that is reached; null for that of all. */
export type SharedPlace<Limit> =
  | { full: null /** Aborts when the place went to somebody else. */; lost: AbortSignal; give(): void }
  | { full: Limit | "all" };

/** Places that are bounded for each of their owners, an account and its workspace, and in all. */
export interface SharedPlaces {
  take<Limit extends PlaceLimit>(limits: readonly Limit[]): SharedPlace<Limit>;
}

interface Holder {
  limits: readonly PlaceLimit[];
  at: number;
  lose(): void;
}

/**
 * Makes places of which nobody can take away those of the others: when all are taken, the newest place of the owner who has most goes to
 * whoever has fewer. What somebody has is what their account or their workspace has, whichever has more, so that neither an account with
 * many workspaces nor a workspace with many accounts counts for several.
 */
export function createSharedPlaces(clock: Pick<Clock, "monotonic">, { size, fairMs }: SharingRules): SharedPlaces {
  const places = createPlaces();
  /** In the order in which they came. */
  const holders = new Set<Holder>();
  const ownedBy = (limits: readonly PlaceLimit[]): number => Math.max(...limits.map(({ key }) => places.count(key)));

  /** Who is to make room for somebody who has `own` places. */
  function findLoser(own: number): Holder | null {
    let loser: Holder | null = null;
    let most = own + 1;
    for (const holder of holders) {
      const has = ownedBy(holder.limits);
      if (has < most || (has === most && loser === null)) continue;
      [loser, most] = [holder, has];
    }
    const [oldest] = holders;
    if (loser !== null || !oldest || fairMs === null || own > 0) return loser;
    return clock.monotonic() - oldest.at > fairMs ? oldest : null;
  }

  return {
    take(limits) {
      const reached = places.check(limits);
      if (reached) return { full: reached };
      if (holders.size >= size) {
        const loser = findLoser(ownedBy(limits));
        if (!loser) return { full: "all" };
        loser.lose();
      }
      const taken = places.take(limits);
      if (!("give" in taken)) return taken;
      const lost = new AbortController();
      const holder: Holder = { limits, at: clock.monotonic(), lose };
      holders.add(holder);
      const giveBack = taken.give;
      function give(): void {
        holders.delete(holder);
        giveBack();
      }
      function lose(): void {
        give();
        lost.abort();
      }
      return { full: null, lost: lost.signal, give };
    },
  };
}
