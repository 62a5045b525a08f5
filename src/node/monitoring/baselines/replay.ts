import { hours, minutes } from "../../../lib/duration.ts";
import { hourOf } from "./baseline.ts";
import { createDetector, type Score } from "./detector.ts";
import { BASELINE_METRICS } from "./metrics.ts";
import type { Needs } from "./needs.ts";
import { listHours } from "./store.ts";

const MINUTE = minutes(1);
const SAMPLES_A_MINUTE = 6;
const SLICE = 120;

/**
 * Scores of a metric from `from` to `to` (ms), minute by minute, by what was known of it before each: the detector lives
 * through that time once more. Minutes that could not be judged are left out. `pause` is awaited between slices.
 */
export async function replayScores(
  { db, series }: Pick<Needs, "db" | "series">,
  metric: string,
  from: number,
  to: number,
  pause: () => Promise<void>,
): Promise<Score[]> {
  // The hour before is read too, because it is always the last hour that gets judged.
  const start = from - hours(1);
  const known = listHours(db, metric, hourOf(start) - 1);
  const detector = createDetector({ floor: BASELINE_METRICS[metric]?.floor ?? 0, known });
  const scores: Score[] = [];
  const rows = series.read("host", "m1", start, to, [metric]);
  for (const [index, { t, n, avg }] of rows.entries()) {
    if (index % SLICE === SLICE - 1) await pause();
    const value = avg[metric] ?? null;
    if (value === null) continue;
    const { score } = detector.add({ t, value, spanMs: MINUTE * Math.min(1, n / SAMPLES_A_MINUTE) });
    if (score && score.t > from && score.t <= to) scores.push(score);
  }
  return scores;
}
