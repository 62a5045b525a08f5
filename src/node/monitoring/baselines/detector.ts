import { hours, minutes } from "../../../lib/duration.ts";
import { type Baseline, createBaseline, type Expectation, type HourMean, hourOf } from "./baseline.ts";

/** A measured value and the time it stands for, from `t` on. */
export interface Sample {
  t: number;
  value: number;
  spanMs: number;
}

/** The last hour against what it should look like. */
export interface Score {
  /** End of that hour. */
  t: number;
  /** Mean of the last hour. */
  value: number;
  mean: number;
  stddev: number;
  z: number;
  /** Past every gate: nothing like it was usual so far. */
  is_past: boolean;
}

/** A time in which a metric was not as usual. Times in milliseconds. */
export interface Episode {
  started_at: number;
  /** When it was last seen past the gates. */
  last_at: number;
  /** Null while it goes on. */
  ended_at: number | null;
  /** The score furthest from usual. */
  peak: Score;
}

export interface Seen {
  score: Score | null;
  /** Set when the sample began a new hour. */
  learned: HourMean | null;
  /** What the sample did to the metric's latest episode. */
  episode: { change: "began" | "went_on" | "ended"; is: Episode } | null;
}

/** Watches one metric, sample by sample. */
export interface Detector {
  baseline: Baseline;
  /** Samples come in order; one that is not newer than the last is passed over. */
  add(sample: Sample): Seen;
  /** The latest score; null while too little is known. */
  latest(): Score | null;
}

/** The mean of an hour stands only for one that was measured for the most part. */
const MIN_HOUR_SHARE = 0.5;
const MIN_LAST_SHARE = 0.8;
/** How long a metric must be out of the usual before it is called so. */
const PERSISTENCE_MS = minutes(10);
/** Back to usual for this long ends an episode. */
const QUIET_MS = hours(1);
/** A metric that leaves the usual again so soon after the last time is the same story. */
const SAME_STORY_MS = hours(24);

interface Options {
  /** Smallest spread, in the metric's unit. */
  floor: number;
  known?: readonly HourMean[];
  episode?: Episode | null;
}

/** A detector that goes on from what is known: closed hours (oldest first) and the latest episode. */
export function createDetector({ floor, known = [], episode: before = null }: Options): Detector {
  const baseline = createBaseline(floor, known);
  let learnedUntil = known.at(-1)?.hour ?? Number.NEGATIVE_INFINITY;
  let last: Sample[] = [];
  let open: { hour: number; sum: number; spanMs: number } | null = null;
  let latest: Score | null = null;
  let pastSince: { t: number; sign: number } | null = null;
  let episode = before;
  let expected: { hour: number; now: Expectation | null; earlier: Expectation | null } | null = null;

  /** What is expected of an hour and of the one before; asked for again only when there is something new to know. */
  function expectations(hour: number): NonNullable<typeof expected> {
    if (expected?.hour !== hour) {
      expected = { hour, now: baseline.expect(hour), earlier: baseline.expect(hour - 1) };
    }
    return expected;
  }

  /** Closes the open hour when the sample lies in a later one. */
  function learn({ t, value, spanMs }: Sample): HourMean | null {
    const hour = hourOf(t);
    let learned: HourMean | null = null;
    if (open !== null && open.hour !== hour) {
      const isWhole = open.spanMs >= MIN_HOUR_SHARE * hours(1);
      if (isWhole && open.hour > learnedUntil) {
        learned = baseline.learn(open.hour, open.sum / open.spanMs);
        learnedUntil = open.hour;
        expected = null;
      }
      open = null;
    }
    open ??= { hour, sum: 0, spanMs: 0 };
    open.sum += value * spanMs;
    open.spanMs += spanMs;
    return learned;
  }

  /** The last hour lies in two hours of the clock; what is expected of it is mixed as they are. */
  function score(end: number): Score | null {
    const covered = last.reduce((sum, { spanMs }) => sum + spanMs, 0);
    const hour = hourOf(end - 1);
    const { now, earlier } = expectations(hour);
    if (now === null || covered < MIN_LAST_SHARE * hours(1)) return null;
    const share = Math.min(1, (end - hour * hours(1)) / hours(1));
    const mix = (of: keyof Expectation): number => share * now[of] + (1 - share) * (earlier ?? now)[of];
    const mean = mix("mean");
    const stddev = mix("stddev");
    const value = last.reduce((sum, sample) => sum + sample.value * sample.spanMs, 0) / covered;
    const off = value - mean;
    return { t: end, value, mean, stddev, z: off / stddev, is_past: off > mix("above") || -off > mix("below") };
  }

  function judge(current: Score, spanMs: number): Seen["episode"] {
    if (!current.is_past) {
      pastSince = null;
      if (episode === null || episode.ended_at !== null || current.t - episode.last_at < QUIET_MS) return null;
      episode = { ...episode, ended_at: current.t };
      return { change: "ended", is: episode };
    }
    const sign = Math.sign(current.z);
    if (pastSince?.sign !== sign) pastSince = { t: current.t - spanMs, sign };
    if (current.t - pastSince.t < PERSISTENCE_MS) return null;
    if (episode !== null && current.t - episode.last_at < SAME_STORY_MS) {
      const peak = Math.abs(current.z) > Math.abs(episode.peak.z) ? current : episode.peak;
      episode = { ...episode, peak, last_at: Math.max(episode.last_at, current.t), ended_at: null };
      return { change: "went_on", is: episode };
    }
    episode = { started_at: pastSince.t, last_at: current.t, ended_at: null, peak: current };
    return { change: "began", is: episode };
  }

  return {
    baseline,
    latest: () => latest,
    add(sample) {
      const newest = last.at(-1);
      if (newest && sample.t <= newest.t) return { score: null, learned: null, episode: null };
      const learned = learn(sample);
      const end = sample.t + sample.spanMs;
      last.push(sample);
      if ((last[0]?.t ?? end) < end - hours(1)) last = last.filter(({ t }) => t >= end - hours(1));
      latest = score(end);
      return { score: latest, learned, episode: latest && judge(latest, sample.spanMs) };
    },
  };
}
