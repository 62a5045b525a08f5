import { toIso } from "../../../lib/clock.ts";
import { hours, minutes } from "../../../lib/duration.ts";
import { mean } from "../../../lib/statistics.ts";
import { lengthInWords } from "../../../lib/time-words.ts";
import { hourOf, SLOTS, slotOf } from "./baseline.ts";
import { type Anomaly, type Baseline, fail, type MetricPrediction, type Severity } from "./contract.ts";
import type { Score } from "./detector.ts";
import { lookHourAhead, MIN_MINUTES } from "./hour-ahead.ts";
import { BASELINE_METRICS, metricName } from "./metrics.ts";
import type { Own } from "./needs.ts";
import * as store from "./store.ts";

type Deps = Pick<Own, "clock" | "book" | "series" | "db">;

/** How far a metric is from usual right now. */
export interface MetricScore {
  status: "ok" | "insufficient_data";
  /** Null without enough data; the others are 0 then. */
  z: number | null;
  mean: number;
  stddev: number;
  severity: Severity;
  /** Past every gate, not just past a number of deviations: worth telling somebody. */
  is_anomaly: boolean;
}

/** A metric as it is judged now. */
export interface JudgedMetric {
  metric: string;
  title: string;
  /** Weeks that this hour of the week was measured in. */
  weeks: number;
  /** Null without enough data. */
  score: Score | null;
}

/** An older score says nothing about now. */
const FRESH_MS = minutes(15);
const QUARTER_MS = minutes(15);
const DEFAULT_LIMIT = 50;
const DEFAULT_METRIC = "cpu_percent";
/** Slot 0 is the hour in which 1970 began, a Thursday. */
const MONDAY_SLOT = 4 * 24;

/** The contract's word for a distance from usual. */
export function severityOf(z: number): Severity {
  if (Math.abs(z) > 3) return "critical";
  return Math.abs(z) > 2 ? "warning" : "normal";
}

const round = (value: number): number => Math.round(value * 1000) / 1000;

/** Throws `baseline_metric_unknown`. */
function nameOf(asked: string): string {
  const metric = metricName(asked);
  if (metric !== null) return metric;
  throw fail("baseline_metric_unknown", {
    field: "metric",
    metric: asked,
    known: Object.keys(BASELINE_METRICS).join(", "),
  });
}

const titleOf = (metric: string): string => BASELINE_METRICS[metric]?.title ?? metric;

function freshScore({ book, clock }: Deps, metric: string): Score | null {
  const score = book.of(metric).latest();
  return score && Math.abs(clock.now() - score.t) <= FRESH_MS ? score : null;
}

/** How far a metric of the server is from usual now. Throws `baseline_metric_unknown`. */
export function scoreNow(deps: Deps, asked: string): MetricScore {
  const score = freshScore(deps, nameOf(asked));
  if (!score) {
    return { status: "insufficient_data", z: null, mean: 0, stddev: 0, severity: "normal", is_anomaly: false };
  }
  const { z, mean, stddev, is_past } = score;
  return { status: "ok", z, mean, stddev, severity: severityOf(z), is_anomaly: is_past };
}

/** Score and age of every metric that can be judged now, with what its hour of the week is based on. */
export function judgeMetrics(deps: Deps): JudgedMetric[] {
  const hour = hourOf(deps.clock.now());
  return Object.entries(BASELINE_METRICS).map(([metric, { title }]) => ({
    metric,
    title,
    weeks: deps.book.of(metric).baseline.weeksOf(hour),
    score: freshScore(deps, metric),
  }));
}

/** Why a metric cannot be judged yet, and when it can; null when it can. */
function lackOf(deps: Deps, metric: string): { reason: string; ready_at: string | null } | null {
  if (freshScore(deps, metric)) return null;
  const now = deps.clock.now();
  const { baseline } = deps.book.of(metric);
  const learned = baseline.learned().length;
  const latest = deps.series.latest("host")?.values[metric] ?? null;
  if (latest === null && learned === 0) {
    return { reason: `${titleOf(metric)} has not been measured on this server so far.`, ready_at: null };
  }
  const missing = baseline.hoursToLearn(hourOf(now));
  if (missing === 0) {
    return {
      reason: "The last hour was not measured for the most part, so there is nothing to compare.",
      ready_at: null,
    };
  }
  const seen =
    learned === 0 ? "is less than an hour" : `${learned === 1 ? "is" : "are"} ${lengthInWords(hours(learned))}`;
  const reason = `A baseline needs a week of measurements; there ${seen} so far. Ready in about ${lengthInWords(hours(missing))}.`;
  return { reason, ready_at: toIso(now + hours(missing)) };
}

/** What a metric usually is at each hour of the week, and how it is now. Throws `baseline_metric_unknown`. */
export function describeBaseline(deps: Deps, asked: string = DEFAULT_METRIC): Baseline {
  const metric = nameOf(asked);
  const { baseline } = deps.book.of(metric);
  const score = freshScore(deps, metric);
  const lack = lackOf(deps, metric);
  const current = hourOf(deps.clock.now());
  const monday = current - slotOf(current - MONDAY_SLOT);
  const slots = Array.from({ length: SLOTS }, (_, index) => {
    // Hours still to come this week are judged by what is known now, those gone by as if they came again.
    const hour = monday + index < current ? monday + index + SLOTS : monday + index;
    const known = baseline.expect(hour);
    const usual = known?.mean ?? baseline.expectMean(hour);
    return {
      weekday: Math.floor(index / 24) + 1,
      hour: index % 24,
      mean: usual === null ? null : round(usual),
      stddev: known === null ? null : round(known.stddev),
      weeks: baseline.weeksOf(hour),
    };
  });
  return {
    metric,
    title: titleOf(metric),
    status: lack ? "insufficient_data" : "ok",
    reason: lack?.reason ?? null,
    ready_at: lack?.ready_at ?? null,
    learned_hours: baseline.learned().length,
    current: score && {
      at: toIso(score.t),
      value: round(score.value),
      baseline_mean: round(score.mean),
      baseline_stddev: round(score.stddev),
      z_score: round(score.z),
      severity: severityOf(score.z),
    },
    slots,
  };
}

/** Recent anomalies, newest first. Throws `baseline_metric_unknown`. */
export function recentAnomalies({ db }: Pick<Deps, "db">, query: { metric?: string; limit?: number }): Anomaly[] {
  const metric = query.metric === undefined ? null : nameOf(query.metric);
  return store.listAnomalies(db, metric, query.limit ?? DEFAULT_LIMIT).map((row) => ({
    id: row.id,
    metric: row.metric,
    severity: severityOf(row.z),
    z_score: round(row.z),
    value: round(row.value),
    baseline_mean: round(row.mean),
    baseline_stddev: round(row.stddev),
    detected_at: toIso(row.started_at),
    peak_at: toIso(row.peak_at),
    ended_at: row.ended_at === null ? null : toIso(row.ended_at),
  }));
}

/** Percentages end at both ends; everything else only at 0. */
function clamp(metric: string, value: number): number {
  const top = metric.endsWith("_percent") ? 100 : Number.POSITIVE_INFINITY;
  return round(Math.min(top, Math.max(0, value)));
}

/** Where a metric will be in an hour if the last 24 hours go on. Throws `baseline_metric_unknown`. */
export function predictMetric({ clock, series }: Deps, asked: string = DEFAULT_METRIC): MetricPrediction {
  const metric = nameOf(asked);
  const title = titleOf(metric);
  const now = clock.now();
  const minutesSeen = series.read("host", "m1", now - hours(24), now, [metric]).flatMap(({ t, avg }) => {
    const value = avg[metric] ?? null;
    return value === null ? [] : [{ t, value }];
  });
  const seen = lookHourAhead(minutesSeen, now);
  if (!seen) {
    const missing = Math.max(0, MIN_MINUTES - minutesSeen.length);
    const reason =
      missing > 0
        ? `A prediction needs 12 hours of measurements from the last 24; there are ${lengthInWords(minutes(minutesSeen.length))}.`
        : "The last minutes or too many hours of the last day were not measured.";
    return {
      metric,
      title,
      status: "insufficient_data",
      reason,
      ready_at: missing > 0 ? toIso(now + minutes(missing)) : null,
    };
  }
  const { mean_absolute_error: error } = seen.backtest;
  const quarters = Map.groupBy(minutesSeen, ({ t }) => Math.floor(t / QUARTER_MS));
  return {
    metric,
    title,
    status: "ok",
    generated_at: toIso(now),
    current: round(seen.current),
    predicted_at: toIso(now + hours(1)),
    predicted: clamp(metric, seen.predicted),
    low: clamp(metric, seen.predicted - 2 * error),
    high: clamp(metric, seen.predicted + 2 * error),
    trend_per_hour: round(seen.trend_per_hour),
    r_squared: round(seen.r_squared),
    backtest: {
      ...seen.backtest,
      mean_absolute_error: round(error),
      unchanged_error: round(seen.backtest.unchanged_error),
    },
    points: [...quarters].map(([quarter, list]) => ({
      ts: toIso(quarter * QUARTER_MS),
      value: round(mean(list.map(({ value }) => value))),
    })),
  };
}
