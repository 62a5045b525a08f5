import { createBucketLimiter } from "../../../kernel/http/limit.ts";
import { takeOne } from "../../../kernel/http/too-many-requests.ts";
import type { Clock } from "../../../lib/clock.ts";
import { hours, seconds } from "../../../lib/duration.ts";

/** A node needs a certificate in two months, and some more while somebody repairs it. */
const AT_ONCE = 20;
const PER_SECOND = seconds(1) / hours(1);

/** How many certificates a node gets: each is a line of a log that is kept for a year. */
export interface Issuance {
  /** Counts one for a node of a workspace. Throws `too_many_requests`. */
  take(tenantId: string, nodeId: string): void;
}

/** Makes the count, which begins anew with the program. */
export function createIssuance(clock: Clock): Issuance {
  const issued = createBucketLimiter(clock, PER_SECOND, AT_ONCE);
  return {
    take: (tenantId, nodeId) => takeOne(issued, `${tenantId} ${nodeId}`),
  };
}
