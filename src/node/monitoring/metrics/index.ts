/** Metrics: measures the server and its apps every 10 s and remembers them: minutes for a day, hours for a month, days for a year. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { hours, minutes } from "../../../lib/duration.ts";
import { createAppMeter } from "./collect/app-meter.ts";
import { createCollector } from "./collect/collector.ts";
import { metricsMeanings } from "./events.ts";
import init from "./migrations/0001_series.sql" with { type: "text" };
import threads from "./migrations/0002_threads.sql" with { type: "text" };
import type { Needs, Own } from "./needs.ts";
import { bindMetricsRoutes } from "./routes.ts";
import { createSeriesBook, type SeriesBook } from "./series/book.ts";
import { prune, rollUp } from "./series/rollup.ts";
import { WATCHED_METRICS } from "./watched.ts";

export type { SeriesBook } from "./series/book.ts";
export type { Series, SeriesRow } from "./series/series.ts";

export const metricsFeature = defineFeature({
  name: "metrics",
  otherMigrations: { metrics: [init, threads] },
  events: metricsMeanings,
});

/** What was measured; only the collector writes. */
export interface Metrics extends Part, SeriesBook {}

/** Does slices of work, letting others have their turn in between, until done or `signal` aborts. */
async function runSlices(slices: Generator<void>, { host }: Pick<Needs, "host">, signal: AbortSignal): Promise<void> {
  for (const _ of slices) {
    if (signal.aborted) return;
    await host.clock.sleep(0, signal);
  }
}

/** Sweeps over the host and its apps until the program stops. */
function collect(own: Own): void {
  const { clock, log, host, recorder, signal } = own;
  const meter = createAppMeter(own, () => own.apps.listRunning());
  void createCollector({ clock, log, host, recorder, apps: meter }).run(signal).finally(meter.close);
}

/** The series of a node, measured once it runs. Touches their database only when used. */
export function createMetrics(needs: Needs): Metrics {
  const { metricsDb, clock, bus } = needs;
  const book = createSeriesBook(metricsDb, clock, (byMs) =>
    bus.emit("system.clock_jumped", { by_seconds: Math.round(byMs / 1000) }),
  );
  const own: Own = { ...needs, ...book };
  needs.lists.watched.add(WATCHED_METRICS);
  return {
    ...book,
    feature: metricsFeature,
    routes: [bindMetricsRoutes(own)],
    jobs: [
      {
        name: "metrics.roll_up",
        everyMs: minutes(5),
        run: (signal) => runSlices(rollUp(metricsDb, clock), needs, signal),
      },
      { name: "metrics.prune", everyMs: hours(1), run: (signal) => runSlices(prune(metricsDb, clock), needs, signal) },
    ],
    start: () => collect(own),
    stop: () => book.recorder.flush(),
  };
}
