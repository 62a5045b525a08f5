import { hours } from "../../../../lib/duration.ts";

/** The hour of the server's own clock at which the night begins in which nobody misses an app for a moment. */
const NIGHT_HOUR = 3;
/** What could not begin by then waits for the next night. */
const NIGHT_MS = hours(3);

/** When the next night begins in that time zone, epoch ms; later than now. */
export function nextNight(now: number, zone: string): number {
  const local = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone);
  const start = (days: number) =>
    local
      .toPlainDate()
      .add({ days })
      .toZonedDateTime({ timeZone: zone, plainTime: { hour: NIGHT_HOUR } }).epochMilliseconds;
  return start(0) > now ? start(0) : start(1);
}

/** Whether the night that began at `start` goes on. */
export const isNight = (start: number, now: number): boolean => now >= start && now < start + NIGHT_MS;
