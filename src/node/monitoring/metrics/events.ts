import type { EventMeanings } from "../../event-meaning.ts";
import type { MetricsEvents } from "./contract.ts";

const UNITS: readonly (readonly [number, string])[] = [
  [86_400, "day"],
  [3600, "hour"],
  [60, "minute"],
];

/** A length of time in the largest unit of which it has two. */
function spanOf(seconds: number): string {
  const [size, unit] = UNITS.find(([length]) => seconds >= 2 * length) ?? [1, "second"];
  return `${Math.round(seconds / size)} ${unit}s`;
}

export const metricsMeanings: EventMeanings<MetricsEvents> = {
  "system.clock_jumped": {
    timeline: ({ by_seconds }) => ({
      category: "system",
      severity: "warning",
      title: `The server's clock jumped ${by_seconds > 0 ? "forward" : "back"} by ${spanOf(Math.abs(by_seconds))}`,
      audience: "everybody",
    }),
  },
};
