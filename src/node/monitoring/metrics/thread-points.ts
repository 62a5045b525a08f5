import { toIso } from "../../../lib/clock.ts";
import type { SpanQuery, ThreadMetrics } from "./contract.ts";
import type { Own } from "./needs.ts";
import { axisFor, mapAxis } from "./points.ts";
import { readThreads } from "./series/thread-store.ts";
import { joinThreads, type ThreadSums, threadPercents } from "./series/threads.ts";

/** More columns than these are too narrow to be seen. */
const MAX_BUCKETS = 120;

/** How busy each thread was in the buckets that are asked for, together as many as a heat map can show. Throws `invalid_request`. */
export function readThreadMetrics(
  { metricsDb, clock }: Pick<Own, "metricsDb" | "clock">,
  span: SpanQuery,
): ThreadMetrics {
  const axis = axisFor(span, clock.now());
  const first = axis.fromMs / axis.bucketMs;
  const step = Math.max(1, Math.ceil((axis.toMs / axis.bucketMs - first) / MAX_BUCKETS));
  const columns = new Map<number, ThreadSums>();
  for (const row of readThreads(metricsDb, axis.tier, first, axis.toMs / axis.bucketMs)) {
    const place = Math.floor((row.bucket - first) / step);
    const before = columns.get(place);
    columns.set(place, before === undefined ? row : joinThreads(before, row));
  }
  const count = Math.max(0, ...[...columns.values()].map(({ sums }) => sums.length));
  const ts = mapAxis({ ...axis, bucketMs: axis.bucketMs * step }, [], toIso);
  const means = ts.map((_, place) => {
    const column = columns.get(place);
    return column === undefined ? [] : threadPercents(column);
  });
  return {
    bucket_seconds: (axis.bucketMs * step) / 1000,
    ts,
    threads: Array.from({ length: count }, (_, thread) =>
      means.map((column) => (column[thread] === undefined ? null : Math.round(column[thread] * 10) / 10)),
    ),
  };
}
