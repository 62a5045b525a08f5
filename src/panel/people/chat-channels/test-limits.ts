import { createLimiter, createSharedLimiter } from "../../../kernel/http/limit.ts";
import { takeAll } from "../../../kernel/http/too-many-requests.ts";
import type { Clock } from "../../../lib/clock.ts";
import { minutes } from "../../../lib/duration.ts";

/** In ten minutes: of one workspace, and of all of them together, of which each has the first ones whatever others do. */
const OWN = 20;
const ALL = { max: 500, ownMax: 3 };

/** Counts the tests of channels that workspaces send. Gives what takes one. It throws `too_many_requests`. */
export function createTestLimits(clock: Clock): (tenantId: string) => void {
  const own = createLimiter(clock, OWN, minutes(10));
  const all = createSharedLimiter(clock, ALL, minutes(10));
  return (tenantId) =>
    takeAll([
      [own, tenantId],
      [all, tenantId],
    ]);
}
