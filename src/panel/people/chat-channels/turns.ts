import type { Clock } from "../../../lib/clock.ts";
import { minutes, seconds } from "../../../lib/duration.ts";
import { createFairSlots } from "../../../lib/fair-slots.ts";
import { createSharedMap } from "../../../lib/shared-map.ts";

/** So many messages are on their way at a time. */
const AT_ONCE = 128;
/** Of them so many of workspaces whose rooms answer soon and of those that were slow lately, and of each workspace. */
const MOST = { usual: [112, 4], slow: [16, 2] } as const;
/** A room that says nothing for so long makes its workspace a slow one, for so long: whoever saves it anew begins no other life. */
const SLOW = { afterMs: seconds(3), ttlMs: minutes(10), size: 20_000 };

/** Sends to a room of a workspace when it is its turn. */
export type Turns = (tenantId: string, roomId: string, send: () => Promise<void>) => Promise<void>;

/** Makes them: the workspaces in turn, so that rooms which say nothing hold up those of their own workspace alone. */
export function createTurns(clock: Pick<Clock, "monotonic" | "after">): Turns {
  const slow = createSharedMap<true>(clock, SLOW);
  const inSlot = createFairSlots(clock, {
    ...{ size: AT_ONCE, spare: 0, weightOf: () => 1 },
    mostOfPart: (group, depth) => MOST[group === "slow" ? "slow" : "usual"][depth] ?? Number.POSITIVE_INFINITY,
  });
  return (tenantId, roomId, send) => {
    const group = slow.get(tenantId) === null ? "usual" : "slow";
    return inSlot([group, tenantId, roomId], async () => {
      const cancel = clock.after(SLOW.afterMs, () => slow.set(tenantId, true, [tenantId]));
      try {
        await send();
      } finally {
        cancel();
      }
    });
  };
}
