import type { AppMetrics } from "../../../../src/node/monitoring/metrics/contract.ts";
import type { TimeSeries } from "../../../kit/time-axis.ts";

type Figure = "cpu_percent" | "memory_bytes";
type Values = (number | null)[];

/** More lines than colours cannot be told apart. */
export const most = 6;

function mean(values: Values): number {
  const known = values.filter((value) => value !== null);
  return known.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/** The six apps with the highest mean in these places, each as a line. One line for all others together would dwarf them. */
export function appLines(
  apps: AppMetrics["apps"],
  figure: Figure,
  nameOf: (app: AppMetrics["apps"][number]) => string,
  [start, end]: [number, number],
): TimeSeries[] {
  return byMean(apps, figure, [start, end])
    .slice(0, most)
    .map(({ app, values }, index) => ({ label: nameOf(app), values, dash: index > 0 }));
}

/** The app whose line is first; null when none ran. */
export function busiestApp(
  apps: AppMetrics["apps"],
  figure: Figure,
  places: [number, number],
): { app_id: string; values: Values } | null {
  const [top] = byMean(apps, figure, places);
  return top === undefined ? null : { app_id: top.app.app_id, values: top.values };
}

function byMean(apps: AppMetrics["apps"], figure: Figure, [start, end]: [number, number]) {
  return apps
    .map((app) => ({ app, values: app[figure].slice(start, end) }))
    .filter(({ values }) => values.some((value) => value !== null))
    .sort((a, b) => mean(b.values) - mean(a.values));
}
