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
  return apps
    .map((app) => ({ label: nameOf(app), values: app[figure].slice(start, end) }))
    .filter(({ values }) => values.some((value) => value !== null))
    .sort((a, b) => mean(b.values) - mean(a.values))
    .slice(0, most)
    .map((line, index) => ({ ...line, dash: index > 0 }));
}
