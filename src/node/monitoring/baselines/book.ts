import { hours, minutes } from "../../../lib/duration.ts";
import { hourOf } from "./baseline.ts";
import { createDetector, type Detector, type Episode } from "./detector.ts";
import { BASELINE_METRICS, isTold } from "./metrics.ts";
import type { Needs } from "./needs.ts";
import * as store from "./store.ts";

/** The detectors of the server's metrics, fed by its series. */
export interface BaselineBook {
  /** Takes in what was measured since the last time; `pause` is awaited between slices of the work. */
  observe(pause: () => Promise<void>): Promise<void>;
  /** The detector of a metric that has a baseline. */
  of(metric: string): Detector;
}

type Deps = Pick<Needs, "db" | "series" | "clock" | "ids">;

const MINUTE = minutes(1);
const SAMPLES_A_MINUTE = 6;
/** Minutes reach further back only as hours. */
const LOOK_BACK_MS = hours(24);
/** A longer hole means that the clock was set, or that this program did not run: what is stored knows more then. */
const HOLE_MS = hours(2);
const GIVEN_UP_MS = minutes(30);
const SLICE_ROWS = 60;
/** How old the note of a lasting anomaly may become. */
const NOTE_MS = minutes(10);

interface Watched {
  detector: Detector;
  /** Row of the latest anomaly. */
  anomaly: store.AnomalyRow | null;
}

function toEpisode({ started_at, last_at, ended_at, peak_at, value, mean, stddev, z }: store.AnomalyRow): Episode {
  return { started_at, last_at, ended_at, peak: { t: peak_at, value, mean, stddev, z, is_past: true } };
}

function toRow(id: string, metric: string, { started_at, last_at, ended_at, peak }: Episode): store.AnomalyRow {
  const { t, value, mean, stddev, z } = peak;
  return { id, metric, started_at, last_at, ended_at, peak_at: t, value, mean, stddev, z };
}

/** Reads nothing until it is asked. */
export function createBaselineBook(deps: Deps): BaselineBook {
  const { db, series, clock, ids } = deps;
  let watched = new Map<string, Watched>();
  let fedUntil: number | null = null;

  function load(now: number): void {
    watched = new Map(
      Object.entries(BASELINE_METRICS).map(([metric, { floor }]) => {
        const anomaly = store.findLatestAnomaly(db, metric, now);
        const known = store.listHours(db, metric, hourOf(now));
        const detector = createDetector({ floor, known, episode: anomaly && toEpisode(anomaly) });
        return [metric, { detector, anomaly }];
      }),
    );
    // The last learned hour is read once more, because the last hour is what gets judged.
    const learned = [...watched.values()].map(({ detector }) => detector.baseline.learned().at(-1)?.hour ?? 0);
    fedUntil = Math.max(hours(1) * Math.max(...learned), now - LOOK_BACK_MS);
  }

  function noteEpisode(metric: string, entry: Watched, change: "began" | "went_on" | "ended", is: Episode): void {
    const { anomaly } = entry;
    if (!isTold(metric)) return;
    const isNew = change === "began" || anomaly === null;
    const isWorthIt = change === "ended" || is.peak.t !== anomaly?.peak_at || is.last_at - anomaly.last_at >= NOTE_MS;
    if (!isNew && !isWorthIt) return;
    entry.anomaly = toRow(isNew ? ids.next("ano") : anomaly.id, metric, is);
    store.writeAnomaly(db, entry.anomaly);
  }

  function feed(rows: ReturnType<typeof series.read>): void {
    db.tx(() => {
      for (const [metric, entry] of watched) {
        for (const { t, n, avg } of rows) {
          const value = avg[metric] ?? null;
          if (value === null) continue;
          const spanMs = MINUTE * Math.min(1, n / SAMPLES_A_MINUTE);
          const { learned, episode } = entry.detector.add({ t, value, spanMs });
          if (learned) store.writeHour(db, metric, learned);
          if (episode) noteEpisode(metric, entry, episode.change, episode.is);
        }
      }
    });
  }

  return {
    async observe(pause) {
      const now = clock.now();
      if (fedUntil === null || fedUntil > now || now - fedUntil > HOLE_MS) load(now);
      const from = fedUntil ?? now;
      const rows = series.read("host", "m1", from, now - MINUTE, Object.keys(BASELINE_METRICS));
      for (let start = 0; start < rows.length; start += SLICE_ROWS) {
        const slice = rows.slice(start, start + SLICE_ROWS);
        feed(slice);
        fedUntil = (slice.at(-1)?.t ?? from) + MINUTE;
        await pause();
      }
      // Minutes that did not come by now will not come.
      fedUntil = Math.max(fedUntil ?? now, now - GIVEN_UP_MS);
    },
    of(metric) {
      if (watched.size === 0) load(clock.now());
      const entry = watched.get(metric);
      if (!entry) throw new Error(`no baseline is kept of ${metric}`);
      return entry.detector;
    },
  };
}
