/** Metrics: measures the server and its apps every 10 s and remembers them: minutes for a day, hours for a month, days for a year. */
import { defineContextFeature } from "../../../kernel/feature.ts";
import { hours, minutes } from "../../../lib/duration.ts";
import { listRunning } from "../../apps/apps/index.ts";
import type { NodeContext } from "../../context.ts";
import { createAppMeter } from "./collect/app-meter.ts";
import { createCollector } from "./collect/collector.ts";
import { metricsMeanings } from "./events.ts";
import init from "./migrations/0001_series.sql" with { type: "text" };
import { metricsRoutes } from "./routes.ts";
import { prune, rollUp } from "./series/rollup.ts";

export { createSeriesBook } from "./series/book.ts";
export type { Recorder } from "./series/recorder.ts";
export type { Ring } from "./series/ring.ts";
export type { Series, SeriesRow, Tier } from "./series/series.ts";

/** Does slices of work, letting others have their turn in between, until done or `signal` aborts. */
async function runSlices(slices: Generator<void>, { host }: NodeContext, signal: AbortSignal): Promise<void> {
  for (const _ of slices) {
    if (signal.aborted) return;
    await host.clock.sleep(0, signal);
  }
}

export const metrics = defineContextFeature<NodeContext>({
  name: "metrics",
  otherMigrations: { metrics: [init] },
  events: metricsMeanings,
  routes: metricsRoutes,
  jobs: (ctx) => [
    {
      name: "metrics.roll_up",
      everyMs: minutes(5),
      run: (signal) => runSlices(rollUp(ctx.metricsDb, ctx.clock), ctx, signal),
    },
    {
      name: "metrics.prune",
      everyMs: hours(1),
      run: (signal) => runSlices(prune(ctx.metricsDb, ctx.clock), ctx, signal),
    },
  ],
  start(ctx) {
    const apps = createAppMeter(ctx, () => listRunning(ctx.db));
    const { clock, log, host, recorder } = ctx;
    void createCollector({ clock, log, host, recorder, apps }).run(ctx.signal).finally(apps.close);
  },
  stop: ({ recorder }) => recorder.flush(),
});
