import { createDetector } from "../../../src/node/monitoring/baselines/detector.ts";
import type { Labelled } from "./labelled.ts";

/** What the detector did on one series. */
export interface Outcome {
  name: string;
  /** Weeks in which it could judge. */
  weeks: number;
  /** Alerts outside all windows. */
  falseAlerts: number;
  hit: number;
  /** Windows that lie, at least in part, in the weeks it could judge. */
  windows: number;
}

const WEEK_MS = 7 * 86_400_000;

/** Replays a series through the detector of the node, with its parameters; nothing is tuned by series. */
export function judge({ name, points, stepMs, windows }: Labelled): Outcome {
  // The metrics of the node have a smallest spread in their own unit; here only the relative one counts.
  const detector = createDetector({ floor: 1e-9 });
  const alerts: number[] = [];
  let judgedFrom: number | null = null;
  for (const { t, value } of points) {
    const { score, episode } = detector.add({ t, value, spanMs: stepMs });
    if (score) judgedFrom ??= t;
    if (episode?.change === "began") alerts.push(t);
  }
  const end = points.at(-1)?.t ?? 0;
  const from = judgedFrom ?? end;
  const judged = windows.filter(([, to]) => to > from);
  const isIn = (t: number, [first, last]: readonly [number, number]): boolean => t >= first && t <= last;
  return {
    name,
    weeks: (end - from) / WEEK_MS,
    falseAlerts: alerts.filter((t) => !windows.some((window) => isIn(t, window))).length,
    hit: judged.filter((window) => alerts.some((t) => isIn(t, window))).length,
    windows: judged.length,
  };
}

/** The outcomes of several series as one. */
export function total(name: string, outcomes: readonly Outcome[]): Outcome {
  const sum = (pick: (outcome: Outcome) => number): number => outcomes.reduce((all, one) => all + pick(one), 0);
  return {
    name,
    weeks: sum(({ weeks }) => weeks),
    falseAlerts: sum(({ falseAlerts }) => falseAlerts),
    hit: sum(({ hit }) => hit),
    windows: sum(({ windows }) => windows),
  };
}

/** One outcome as a line for a person. */
export function describeOutcome({ name, weeks, falseAlerts, hit, windows }: Outcome): string {
  const rate = weeks > 0 ? (falseAlerts / weeks).toFixed(2) : "-";
  return `${name.padEnd(46)} ${weeks.toFixed(1).padStart(5)} weeks  ${String(falseAlerts).padStart(3)} false (${rate} a week)  ${hit} of ${windows} windows`;
}
