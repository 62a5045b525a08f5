import type { Delivery } from "./contract.ts";

/** How mail comes until somebody wants it otherwise. */
export const AT_ONCE: Delivery = { digest: "now", digest_at: "08:00", quiet: null, time_zone: "UTC" };

const MONDAY = 1;

/** True for the name of a zone; an offset such as +01:00 is none, as it knows no summer time. */
export function isZone(name: string): boolean {
  if (/^[+-]/.test(name)) return false;
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
}

const wall = (at: number, zone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);

/** The next moment after `now` when clocks there show `time`; where they skip it in spring, as soon as they have. */
function nextTime(now: Temporal.ZonedDateTime, time: string): Temporal.ZonedDateTime {
  const today = now.withPlainTime(Temporal.PlainTime.from(time));
  if (Temporal.ZonedDateTime.compare(today, now) > 0) return today;
  return now.add({ days: 1 }).withPlainTime(Temporal.PlainTime.from(time));
}

function nextMonday(now: Temporal.ZonedDateTime, time: string): Temporal.ZonedDateTime {
  let next = nextTime(now, time);
  while (next.dayOfWeek !== MONDAY) next = next.add({ days: 1 }).withPlainTime(Temporal.PlainTime.from(time));
  return next;
}

/** True while clocks show a time from `from` on and before `to`, over midnight where `to` is the earlier one. */
function isBetween(now: Temporal.ZonedDateTime, from: string, to: string): boolean {
  const time = now.toPlainTime().toString({ smallestUnit: "minute" });
  return from < to ? from <= time && time < to : from <= time || time < to;
}

/** When somebody is to be told by mail of what happened at `at`; milliseconds, both. What is critical waits for nothing. */
export function dueAt({ digest, digest_at, quiet, time_zone }: Delivery, severity: string, at: number): number {
  if (severity === "critical") return at;
  const now = wall(at, time_zone);
  if (digest === "daily") return nextTime(now, digest_at).epochMilliseconds;
  if (digest === "weekly") return nextMonday(now, digest_at).epochMilliseconds;
  if (quiet === null || !isBetween(now, quiet.from, quiet.to)) return at;
  return nextTime(now, quiet.to).epochMilliseconds;
}
