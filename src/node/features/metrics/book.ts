import type { Database } from "bun:sqlite";
import type { Clock } from "../../../lib/clock.ts";
import { createRecorder, type Recorder } from "./recorder.ts";
import { createSeries, type LatestValues, type Series } from "./series.ts";

/** Both sides of the series. */
export interface SeriesBook {
  series: Series;
  recorder: Recorder;
}

/** Opens the series in `db`; see `createRecorder` for `onJump`. Touches the database only when used. */
export function createSeriesBook(
  db: Database,
  clock: Pick<Clock, "now" | "monotonic">,
  onJump: (byMs: number) => void,
): SeriesBook {
  const latest: LatestValues = new Map();
  return { series: createSeries(db, clock, latest), recorder: createRecorder(db, clock, latest, onJump) };
}
