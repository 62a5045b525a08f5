import type { Clock } from "../../../lib/clock.ts";
import { minutes } from "../../../lib/duration.ts";

/** Where a member was seen last: when (ms), and the page they looked at, where they said it. */
export interface Whereabouts {
  at: number;
  page: string | null;
}

/** For so long somebody counts as here after their last word. */
export const HERE_MS = minutes(5);

/** How many people are kept of the whole panel; the ones not heard of for longest make room. */
const MOST = 50_000;

/** Who is here of each workspace; in memory alone, and gone with the program. */
export interface Presences {
  note(tenantId: string, memberId: string, page: string): void;
  /** A member is here, without another word, until the returned function is called. */
  hold(tenantId: string, memberId: string): () => void;
  /** Where a member is; null for who is not here. */
  find(tenantId: string, memberId: string): Whereabouts | null;
  /** Who is here of a workspace, those who said something last first. */
  list(tenantId: string, limit: number): { memberId: string; whereabouts: Whereabouts }[];
  /** Lets go of those who were not heard of for too long. */
  forgetTheGone(): void;
}

interface Here extends Whereabouts {
  tenantId: string;
  memberId: string;
  holds: number;
}

/** `changed` is told of each workspace where somebody comes, goes, or looks at another page. */
export function createPresences(clock: Clock, changed: (tenantId: string) => void, most: number = MOST): Presences {
  const workspaces = new Map<string, Map<string, Here>>();
  /** Those whom nothing holds, in the order of their last word: who left is found at the front. */
  const ageing = new Set<Here>();
  let count = 0;

  function hereOf(tenantId: string, memberId: string): Here {
    const everybody = workspaces.get(tenantId) ?? new Map<string, Here>();
    const known = everybody.get(memberId);
    if (known) return known;
    const here = { tenantId, memberId, at: clock.now(), page: null, holds: 0 };
    workspaces.set(tenantId, everybody.set(memberId, here));
    count += 1;
    changed(tenantId);
    return here;
  }

  function age(here: Here): void {
    here.at = clock.now();
    ageing.delete(here);
    if (here.holds === 0) ageing.add(here);
  }

  function forget({ tenantId, memberId }: Here): void {
    const everybody = workspaces.get(tenantId);
    everybody?.delete(memberId);
    if (everybody?.size === 0) workspaces.delete(tenantId);
    count -= 1;
    changed(tenantId);
  }

  function isHere({ at, holds }: Here): boolean {
    // A clock that was set back leaves times that lie ahead; they say nothing about now.
    const since = clock.now() - at;
    return holds > 0 || (since >= 0 && since < HERE_MS);
  }

  function forgetTheGone(): void {
    for (const here of ageing) {
      if (count <= most && isHere(here)) return;
      ageing.delete(here);
      forget(here);
    }
  }

  const whereaboutsOf = ({ at, page, holds }: Here): Whereabouts => ({ at: holds > 0 ? clock.now() : at, page });

  return {
    note(tenantId, memberId, page) {
      const here = hereOf(tenantId, memberId);
      if (here.page !== page) changed(tenantId);
      here.page = page;
      age(here);
      const everybody = workspaces.get(tenantId);
      everybody?.delete(memberId);
      everybody?.set(memberId, here);
      if (count > most) forgetTheGone();
    },
    hold(tenantId, memberId) {
      const here = hereOf(tenantId, memberId);
      here.holds += 1;
      age(here);
      if (count > most) forgetTheGone();
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        here.holds -= 1;
        age(here);
      };
    },
    find(tenantId, memberId) {
      const here = workspaces.get(tenantId)?.get(memberId);
      return here && isHere(here) ? whereaboutsOf(here) : null;
    },
    list(tenantId, limit) {
      // Looking for the front of what changes all the time takes longer than the rest, so it is done here once.
      forgetTheGone();
      const everybody = workspaces.get(tenantId);
      const last: { memberId: string; whereabouts: Whereabouts }[] = [];
      let before = (everybody?.size ?? 0) - limit;
      // A copy of thousands would take longer than all the rest.
      for (const here of everybody?.values() ?? [])
        if (before-- <= 0) last.push({ memberId: here.memberId, whereabouts: whereaboutsOf(here) });
      return last.reverse();
    },
    forgetTheGone,
  };
}
