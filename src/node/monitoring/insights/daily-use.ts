import { days } from "../../../lib/duration.ts";
import type { Point } from "../../../lib/regression.ts";
import type { Needs } from "./needs.ts";

type Deps = Pick<Needs, "series" | "clock">;

/** Daily means of something measured in percent, as far as they are known. */
export interface Use {
  /** x in days since 1970, at the middle of each day; oldest first, the running day last. */
  points: Point[];
  /** The latest figure. */
  current: number;
  /** Now, in days since 1970. */
  x: number;
}

const WINDOW_DAYS = 30;
/** A filesystem that was not seen for so long is not there any more. */
const GONE_MS = days(2);
const FS_PREFIX = "fs:";

/** Use of the last 30 days, of disks also the running one; null when nothing was measured. */
export function dailyUse({ series, clock }: Deps, entity: string, metric: string): Use | null {
  const now = clock.now();
  const first = Math.floor((now - days(WINDOW_DAYS)) / days(1)) * days(1);
  const isDisk = entity.startsWith(FS_PREFIX);
  // A processor's morning says nothing of its day.
  const until = isDisk ? now : Math.floor(now / days(1)) * days(1);
  const rows = series.read(entity, "d1", first, until, [metric]);
  const points = rows.flatMap(({ t, avg }) => {
    const y = avg[metric] ?? null;
    // The running day is as old as half of what has passed of it.
    const middle = (t + Math.min(now, t + days(1))) / 2;
    return y === null ? [] : [{ x: middle / days(1), y }];
  });
  // How full a disk is right now is the truth; what a processor does this second says nothing.
  const live = isDisk ? (series.latest(entity)?.values[metric] ?? null) : null;
  const current = live ?? points.at(-1)?.y ?? null;
  return current === null || points.length === 0 ? null : { points, current, x: now / days(1) };
}

/** Filesystems that are still there. */
export function listDisks({ series, clock }: Deps): { mount_point: string; entity: string }[] {
  return series
    .entities("fs")
    .filter(({ last_ms }) => clock.now() - last_ms < GONE_MS)
    .map(({ entity }) => ({ entity, mount_point: entity.slice(FS_PREFIX.length) }));
}
