/** Baselines: what each hour of the week usually looks like, when the server leaves the usual, and where the next hour goes. */
import { defineContextFeature } from "../../../kernel/feature.ts";
import { minutes, seconds } from "../../../lib/duration.ts";
import type { NodeContext } from "../../context.ts";
import { fail } from "./contract.ts";
import init from "./migrations/0001_baselines.sql" with { type: "text" };
import { baselineRoutes } from "./routes.ts";

export { type Baselines, createBaselines } from "./book.ts";
export { describeBaseline, judgeMetrics, type MetricScore, scoreNow } from "./logic.ts";
export { metricName } from "./metrics.ts";
export { replayScores } from "./replay.ts";

export const baselines = defineContextFeature<NodeContext>({
  name: "baselines",
  migrations: [init],
  errors: fail.table,
  routes: baselineRoutes,
  jobs: (ctx) => [
    {
      name: "baselines.observe",
      everyMs: minutes(1),
      run: (signal) => ctx.baselines.observe(() => ctx.host.clock.sleep(0, signal)),
    },
  ],
  // Soon, so that the last hour is judged again after a restart, but not while the first requests come in.
  start: ({ clock, jobs, signal }) =>
    void clock.after(seconds(5), () => {
      if (!signal.aborted) void jobs.run("baselines.observe");
    }),
});
