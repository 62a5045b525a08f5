import type { Clock } from "../../../lib/clock.ts";
import { minutes } from "../../../lib/duration.ts";

/** Where a member was seen last: when (ms), and the page they looked at. */
export interface Whereabouts {
  at: number;
  page: string;
}

/** For so long somebody counts as here after their last word. */
export const HERE_MS = minutes(5);

/** How many people are kept of the whole panel; the ones not heard of for longest make room. */
const MOST = 50_000;

/** Who is here of each workspace; in memory alone, and gone with the program. */
export interface Presences {
  note(tenantId: string, memberId: string, page: string): void;
  /** Where a member is; null for who is not here. */
  find(tenantId: string, memberId: string): Whereabouts | null;
  /** Who is here of a workspace, those heard of last first. */
  list(tenantId: string, limit: number): { memberId: string; whereabouts: Whereabouts }[];
}

/** Everybody stands in the order of their last word, so that those who left are found at the front. */
export function createPresences(clock: Clock, most: number = MOST): Presences {
  const everybody = new Map<string, { tenantId: string; memberId: string }>();
  const workspaces = new Map<string, Map<string, Whereabouts>>();

  const forget = (key: string, { tenantId, memberId }: { tenantId: string; memberId: string }): void => {
    everybody.delete(key);
    const here = workspaces.get(tenantId);
    here?.delete(memberId);
    if (here?.size === 0) workspaces.delete(tenantId);
  };
  const forgetTheGone = (): void => {
    for (const [key, who] of everybody) {
      const at = workspaces.get(who.tenantId)?.get(who.memberId)?.at ?? 0;
      // A clock that was set back leaves times that lie ahead; they say nothing about now.
      const age = clock.now() - at;
      if (everybody.size <= most && age >= 0 && age < HERE_MS) return;
      forget(key, who);
    }
  };
  return {
    note(tenantId, memberId, page) {
      const key = `${tenantId}/${memberId}`;
      forget(key, { tenantId, memberId });
      const here = workspaces.get(tenantId) ?? new Map<string, Whereabouts>();
      here.set(memberId, { at: clock.now(), page });
      workspaces.set(tenantId, here);
      everybody.set(key, { tenantId, memberId });
      forgetTheGone();
    },
    find(tenantId, memberId) {
      forgetTheGone();
      return workspaces.get(tenantId)?.get(memberId) ?? null;
    },
    list(tenantId, limit) {
      forgetTheGone();
      const here = [...(workspaces.get(tenantId) ?? [])].slice(-limit).reverse();
      return here.map(([memberId, whereabouts]) => ({ memberId, whereabouts }));
    },
  };
}
