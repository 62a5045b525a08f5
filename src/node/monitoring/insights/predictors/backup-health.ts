import { toIso } from "../../../../lib/clock.ts";
import { days } from "../../../../lib/duration.ts";
import { median } from "../../../../lib/statistics.ts";
import { lengthInWords } from "../../../../lib/time-words.ts";
import type { BackupRun } from "../../../base.ts";
import { insufficient, type Predictor, round } from "../predictor.ts";

const WINDOW_MS = days(30);
const NEEDED = 5;
/** The newest good runs, which are held against those before them. */
const RECENT = 3;
/** So often as long, or so small a part as before, is no chance any more. */
const MUCH_LONGER = 2;
const MUCH_SMALLER = 0.5;
const MANY_FAILURES = 3;
const HIGH_RATE = 50;
const MEDIUM_RATE = 20;

/** What changed of the newest good runs against those before, in words; null where nothing did or too few are there to say. */
function trendOf(good: readonly BackupRun[]): string | null {
  const before = good.slice(0, -RECENT);
  if (before.length < RECENT) return null;
  const recent = good.slice(-RECENT);
  const ratio = (of: (run: BackupRun) => number): number =>
    median(recent.map(of)) / Math.max(1, median(before.map(of)));
  if (ratio(({ size_bytes }) => size_bytes) <= MUCH_SMALLER)
    return "The latest are less than half as large as those before: see whether all apps are in them.";
  const longer = ratio(({ started_at, finished_at }) => finished_at - started_at);
  return longer >= MUCH_LONGER ? `The latest took ${round(longer, 1)} times as long as those before.` : null;
}

/** How backups fare: how often they fail, and whether they change in length or size. */
export const backupHealth: Predictor = {
  name: "backup_health",
  predict({ clock, lists }) {
    const now = clock.now();
    const runs = lists.backupRuns.all().flatMap((read) => read(now - WINDOW_MS));
    if (runs.length < NEEDED)
      return [
        insufficient("backup_health", `It needs ${NEEDED} backup runs within 30 days; there were ${runs.length}.`),
      ];
    const good = runs.filter(({ is_good }) => is_good);
    const rate = (1 - good.length / runs.length) * 100;
    const last = good.at(-1);
    const failures = last ? runs.length - 1 - runs.lastIndexOf(last) : runs.length;
    const trend = trendOf(good);
    const isHigh = failures >= MANY_FAILURES || rate >= HIGH_RATE;
    const isMedium = failures > 0 || rate >= MEDIUM_RATE || trend !== null;
    const success = last
      ? `The last good backup was made ${lengthInWords(now - last.finished_at)} ago`
      : "None of the last 30 days was good";
    const failed = rate === 0 ? "none failed" : `${runs.length - good.length} of ${runs.length} failed`;
    return [
      {
        predictor: "backup_health",
        status: "ok",
        failure_rate_pct: round(rate, 1),
        consecutive_failures: failures,
        last_success_at: last ? toIso(last.finished_at) : null,
        risk_level: isHigh ? "high" : isMedium ? "medium" : "low",
        summary: [`${success}; ${failed} within 30 days.`, trend].filter((part) => part !== null).join(" "),
      },
    ];
  },
};
