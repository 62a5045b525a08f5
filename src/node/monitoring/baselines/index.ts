/** Baselines: what each hour of the week usually looks like, when the server leaves the usual, and where the next hour goes. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { minutes, seconds } from "../../../lib/duration.ts";
import { createBaselineBook } from "./book.ts";
import { type Baseline, fail } from "./contract.ts";
import type { Score } from "./detector.ts";
import { describeBaseline, type JudgedMetric, judgeMetrics, type MetricScore, scoreNow } from "./logic.ts";
import { metricName } from "./metrics.ts";
import init from "./migrations/0001_baselines.sql" with { type: "text" };
import type { Needs, Own } from "./needs.ts";
import { replayScores } from "./replay.ts";
import { bindBaselineRoutes } from "./routes.ts";

export const baselinesFeature = defineFeature({ name: "baselines", migrations: [init], errors: fail.table });

/** What the server's metrics usually are. */
export interface Baselines extends Part {
  /** The series' name of a metric that a caller named; null when there is no baseline for it. */
  metricName(asked: string): string | null;
  /** How far a metric of the server is from usual now. Throws `baseline_metric_unknown`. */
  scoreNow(metric: string): MetricScore;
  /** Every metric, as it is judged now. */
  judgeMetrics(): JudgedMetric[];
  /** What a metric usually is at each hour of the week, and how it is now. Throws `baseline_metric_unknown`. */
  describe(metric: string): Baseline;
  /** Scores of a metric from `from` to `to` (ms), minute by minute, by what was known of it before each; see `replayScores`. */
  replay(metric: string, from: number, to: number, pause: () => Promise<void>): Promise<Score[]>;
}

const OBSERVE = "baselines.observe";

/** The baselines of a node. Reads nothing until it is asked. */
export function createBaselines(needs: Needs): Baselines {
  const { host, clock, jobs, signal } = needs;
  const book = createBaselineBook(needs);
  const own: Own = { ...needs, book };
  return {
    feature: baselinesFeature,
    routes: [bindBaselineRoutes(own)],
    jobs: [{ name: OBSERVE, everyMs: minutes(1), run: (stop) => book.observe(() => host.clock.sleep(0, stop)) }],
    // Soon, so that the last hour is judged again after a restart, but not while the first requests come in.
    start: () =>
      void clock.after(seconds(5), () => {
        if (!signal.aborted) void jobs.run(OBSERVE);
      }),
    metricName,
    scoreNow: (metric) => scoreNow(own, metric),
    judgeMetrics: () => judgeMetrics(own),
    describe: (metric) => describeBaseline(own, metric),
    replay: (metric, from, to, pause) => replayScores(own, metric, from, to, pause),
  };
}
