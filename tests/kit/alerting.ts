import type { Own } from "../../src/node/monitoring/alerting/needs.ts";
import { createWatchedBook } from "../../src/node/monitoring/alerting/watched/watched.ts";
import type { TestNode } from "./node-app.ts";

/** What alerting works with in a node, for tests of its parts. */
export function alertingOf({ ctx }: Pick<TestNode, "ctx">): Own {
  const { baselines, maintenance, channels, timeline } = ctx;
  return {
    ...ctx,
    series: ctx.metrics.series,
    baselines,
    maintenance,
    channels,
    timeline,
    watched: createWatchedBook(ctx.lists.watched),
  };
}
