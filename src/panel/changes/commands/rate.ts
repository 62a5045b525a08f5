import { tooManyRequests } from "../../../kernel/http/too-many-requests.ts";
import type { Clock } from "../../../lib/clock.ts";
import { days } from "../../../lib/duration.ts";
import { holds } from "../../access.ts";
import type { Actor } from "../../actor.ts";

/** Things done to a node, a day and at once: far more than people do to any. */
const PER_NODE_A_DAY = 200;
const PER_NODE_AT_ONCE = 50;
/** A workspace of one node counts as one of this many. */
const NODES_LEAST = 10;
/** The same for all workspaces together: as much as forty thousand nodes have by themselves. */
const ALL_A_DAY = 8_000_000;
const ALL_AT_ONCE = 500_000;
const WORKSPACES_MAX = 20_000;
/**
 * What there is for those who may not remove others, of what the workspace has: each of them, and all together. So one who uses theirs up
 * silences no colleague, and whoever can remove them always has some left.
 */
const SHARES = { each: 1 / 2, together: 3 / 4 };

/** Who has nodes do something. */
export type Doer = Pick<Actor, "tenant_id" | "account_id" | "role">;

/** How much people may have their nodes do: each is a row that is kept for a month. */
export interface CommandRate {
  /**
   * Takes room for something that somebody does to `count` nodes of a workspace that has `nodes`. Throws `too_many_requests`. While all
   * together have used up theirs, a workspace still has the first half of its own.
   */
  take(doer: Doer, nodes: number, count: number): void;
}

interface Bucket {
  left: number;
  at: number;
}

/** Makes the count, which begins anew with the program. */
export function createCommandRate(clock: Pick<Clock, "monotonic">): CommandRate {
  const buckets = new Map<string, Bucket>();
  const others = new Map<string, Bucket>();
  const people = new Map<string, Bucket>();
  let all: Bucket = { left: ALL_AT_ONCE, at: clock.monotonic() };

  const filled = ({ left, at }: Bucket, now: number, most: number, perDay: number): Bucket => ({
    left: Math.min(most, left + ((now - at) / days(1)) * perDay),
    at: now,
  });

  function refuse(missing: number, perDay: number): never {
    const wait = Math.max(1, Math.ceil((missing / perDay) * (days(1) / 1000)));
    throw tooManyRequests(wait);
  }

  /** What is left under a name of some that is kept for so many. */
  function find(kept: Map<string, Bucket>, name: string, most: number, perDay: number): Bucket {
    const now = clock.monotonic();
    const bucket = filled(kept.get(name) ?? { left: most, at: now }, now, most, perDay);
    kept.delete(name);
    kept.set(name, bucket);
    const first = kept.keys().next();
    if (kept.size > WORKSPACES_MAX && !first.done) kept.delete(first.value);
    return bucket;
  }

  /** What counts besides the workspace's own. */
  function partsOf({ tenant_id, account_id, role }: Doer, most: number, perDay: number) {
    if (holds(role, "users:manage")) return [];
    const share = (kept: Map<string, Bucket>, name: string, part: number) => {
      return { bucket: find(kept, name, most * part, perDay * part), perDay: perDay * part };
    };
    return [share(others, tenant_id, SHARES.together), share(people, `${tenant_id} ${account_id}`, SHARES.each)];
  }

  return {
    take(doer, nodes, count) {
      const counted = Math.max(NODES_LEAST, nodes);
      const [most, perDay] = [counted * PER_NODE_AT_ONCE, counted * PER_NODE_A_DAY];
      const own = find(buckets, doer.tenant_id, most, perDay);
      const limits = [{ bucket: own, perDay }, ...partsOf(doer, most, perDay)];
      all = filled(all, clock.monotonic(), ALL_AT_ONCE, ALL_A_DAY);
      for (const { bucket, perDay: rate } of limits) if (bucket.left < count) refuse(count - bucket.left, rate);
      if (all.left < count && own.left - count < most / 2) refuse(count - all.left, ALL_A_DAY);
      for (const { bucket } of limits) bucket.left -= count;
      all.left = Math.max(0, all.left - count);
    },
  };
}
