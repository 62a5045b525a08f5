import type { Database } from "bun:sqlite";
import type { Clock } from "../../../../lib/clock.ts";
import { createRecorder, type Recorder } from "./recorder.ts";
import { createRing, type Ring } from "./ring.ts";
import { createSeries, type LatestValues, type Series } from "./series.ts";

/** Both sides of the series. */
export interface SeriesBook {
  series: Series;
  recorder: Recorder;
  ring: Ring;
}

/** Opens the series in `db`; see `createRecorder` for `onJump`. Touches the database only when used. */
export function createSeriesBook(
  db: Database,
  clock: Pick<Clock, "now" | "monotonic">,
  onJump: (byMs: number) => void,
): SeriesBook {
  const latest: LatestValues = new Map();
  const ring = createRing(clock);
  const { add, flush } = createRecorder(db, clock, latest, onJump);
  return {
    series: createSeries(db, clock, latest),
    ring,
    recorder: {
      flush,
      add(sweep, threads) {
        ring.add(sweep);
        add(sweep, threads);
      },
    },
  };
}
