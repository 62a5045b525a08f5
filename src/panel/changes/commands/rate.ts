import { tooManyRequests } from "../../../kernel/http/too-many-requests.ts";
import type { Clock } from "../../../lib/clock.ts";
import { days } from "../../../lib/duration.ts";

/** Things done to a node, a day and at once: far more than people do to any. */
const PER_NODE_A_DAY = 200;
const PER_NODE_AT_ONCE = 50;
/** A workspace of one node counts as one of this many. */
const NODES_LEAST = 10;
/** The same for all workspaces together: as much as forty thousand nodes have by themselves. */
const ALL_A_DAY = 8_000_000;
const ALL_AT_ONCE = 500_000;
const WORKSPACES_MAX = 20_000;

/** How much people may have their nodes do: each is a row that is kept for a month. */
export interface CommandRate {
  /**
   * Takes room for something that is done to `count` nodes of a workspace that has `nodes`. Throws `too_many_requests`. While all
   * together have used up theirs, a workspace still has the first half of its own.
   */
  take(tenantId: string, nodes: number, count: number): void;
}

interface Bucket {
  left: number;
  at: number;
}

/** Makes the count, which begins anew with the program. */
export function createCommandRate(clock: Pick<Clock, "monotonic">): CommandRate {
  const buckets = new Map<string, Bucket>();
  let all: Bucket = { left: ALL_AT_ONCE, at: clock.monotonic() };

  const filled = ({ left, at }: Bucket, now: number, most: number, perDay: number): Bucket => ({
    left: Math.min(most, left + ((now - at) / days(1)) * perDay),
    at: now,
  });

  function refuse(missing: number, perDay: number): never {
    const wait = Math.max(1, Math.ceil((missing / perDay) * (days(1) / 1000)));
    throw tooManyRequests(wait);
  }

  return {
    take(tenantId, nodes, count) {
      const now = clock.monotonic();
      const counted = Math.max(NODES_LEAST, nodes);
      const most = counted * PER_NODE_AT_ONCE;
      const own = filled(buckets.get(tenantId) ?? { left: most, at: now }, now, most, counted * PER_NODE_A_DAY);
      all = filled(all, now, ALL_AT_ONCE, ALL_A_DAY);
      buckets.delete(tenantId);
      buckets.set(tenantId, own);
      const first = buckets.keys().next();
      if (buckets.size > WORKSPACES_MAX && !first.done) buckets.delete(first.value);
      if (own.left < count) refuse(count - own.left, counted * PER_NODE_A_DAY);
      if (all.left < count && own.left - count < most / 2) refuse(count - all.left, ALL_A_DAY);
      own.left -= count;
      all.left = Math.max(0, all.left - count);
    },
  };
}
