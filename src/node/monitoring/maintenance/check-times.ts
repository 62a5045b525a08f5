import { fail } from "./contract.ts";
import type { Recurrence, Repeat } from "./recurrence.ts";

/** Longest window by repeat, in hours, so that no occurrence runs into the next one. */
const LONGEST_HOURS: Record<Repeat, number> = { "one-time": 366 * 24, daily: 24, weekly: 7 * 24, monthly: 28 * 24 };

/** The zone that the machine's own clock shows. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Throws `maintenance_zone_unknown` for a name that is no IANA zone. */
export function checkZone(timezone: string): string {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(timezone);
  } catch {
    throw fail("maintenance_zone_unknown", { field: "timezone", timezone });
  }
  // An offset such as +01:00 would pass, but it knows no summer time.
  if (/^[+-]\d/.test(timezone)) throw fail("maintenance_zone_unknown", { field: "timezone", timezone });
  return timezone;
}

/** Reads a wall time, or an instant as the wall time that `timezone` shows then. Throws `maintenance_times`. */
export function toWallTime(field: string, text: string, timezone: string): string {
  const iso = text.replace(" ", "T");
  try {
    const wall = /(Z|[+-]\d{2}:?\d{2})$/.test(iso)
      ? Temporal.Instant.from(iso).toZonedDateTimeISO(timezone).toPlainDateTime()
      : Temporal.PlainDateTime.from(iso, { overflow: "reject" });
    return wall.toString({ smallestUnit: "minute" });
  } catch {
    throw fail("maintenance_times", { field, reason: "is not a date and time that exists, such as 2026-03-29T02:30" });
  }
}

/** Throws `maintenance_times` when a window ends before it starts or runs into its next occurrence. */
export function checkSpan({ start, end, repeat }: Recurrence): void {
  const length = Temporal.PlainDateTime.from(start).until(end, { largestUnit: "hours" });
  const total = length.total({ unit: "hours" });
  if (total <= 0) throw fail("maintenance_times", { field: "end", reason: "must be after the start" });
  if (total > LONGEST_HOURS[repeat]) {
    const reason = `must be at most ${LONGEST_HOURS[repeat]} hours after the start of a ${repeat} window`;
    throw fail("maintenance_times", { field: "end", reason });
  }
}
