import type { Recurrence, Span } from "../../src/node/monitoring/maintenance/recurrence.ts";

const HOUR = 3_600_000;
const DAY = 86_400_000;

/** A zone's clock without Temporal: what Intl prints, looked through for every change. */
export interface SlowZone {
  /** The instant of a wall time given as if it were UTC: the first of two, or as much later as the clock was moved. */
  instant(wall: number): number;
}

/** Reads the offsets of a zone from `from` to `to` by asking what its clock shows, four times a day. */
export function readZone(timeZone: string, from: number, to: number): SlowZone {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  const offsetAt = (at: number): number => {
    const [, day, month, year, hour, minute, second] =
      /^(\d+)\/(\d+)\/(\d+),? (\d+):(\d+):(\d+)$/.exec(format.format(at)) ?? [];
    const wall = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
    return wall - Math.floor(at / 1000) * 1000;
  };
  // Stretches of one offset; the last one goes on for ever.
  const stretches: { from: number; offset: number }[] = [{ from: Number.NEGATIVE_INFINITY, offset: offsetAt(from) }];
  let known = offsetAt(from);
  for (let at = from; at < to; at += 6 * HOUR) {
    const next = offsetAt(at + 6 * HOUR);
    if (next === known) continue;
    let low = at;
    let high = at + 6 * HOUR;
    while (high - low > 1000) {
      const middle = low + Math.floor((high - low) / 2000) * 1000;
      if (offsetAt(middle) === known) low = middle;
      else high = middle;
    }
    stretches.push({ from: high, offset: next });
    known = next;
  }
  return {
    instant(wall) {
      for (const [index, { offset }] of stretches.entries()) {
        const end = stretches[index + 1]?.from ?? Number.POSITIVE_INFINITY;
        const begin = stretches[index]?.from ?? 0;
        const at = wall - offset;
        if (at >= begin && at < end) return at;
        // Before this stretch but after the one before: the clock jumped over it.
        if (at < begin) return wall - (stretches[index - 1]?.offset ?? offset);
      }
      return wall;
    },
  };
}

const asUtc = (wall: string): number => Date.parse(`${wall}:00Z`);

/** Every occurrence of a window that begins before `to`, by counting days one by one. */
export function slowOccurrences(window: Recurrence, zone: SlowZone, to: number): Span[] {
  const start = asUtc(window.start);
  const end = asUtc(window.end);
  const first = new Date(start);
  const days = Math.floor(end / DAY) - Math.floor(start / DAY);
  const spans: Span[] = [];
  for (let day = Math.floor(start / DAY) * DAY; day < to + 2 * DAY; day += DAY) {
    const date = new Date(day);
    const since = Math.round((day - Math.floor(start / DAY) * DAY) / DAY);
    const isLast = new Date(day + DAY).getUTCMonth() !== date.getUTCMonth();
    const isDue =
      window.repeat === "daily" ||
      (window.repeat === "one-time" && since === 0) ||
      (window.repeat === "weekly" && since % 7 === 0) ||
      (window.repeat === "monthly" &&
        (date.getUTCDate() === first.getUTCDate() || (isLast && date.getUTCDate() < first.getUTCDate())));
    if (!isDue) continue;
    const span = { start: zone.instant(day + (start % DAY)), end: zone.instant(day + days * DAY + (end % DAY)) };
    if (span.end > span.start && span.start < to) spans.push(span);
  }
  return spans;
}

/** Windows that meet clock changes, month ends and midnight. */
export function troubleWindows(timezone: string, year: number): Recurrence[] {
  const at = (start: string, end: string, repeat: Recurrence["repeat"]): Recurrence => ({
    start: `${year}-${start}`,
    end: `${year}-${end}`,
    repeat,
    timezone,
  });
  return [
    at("01-01T02:30", "01-01T04:00", "daily"),
    at("01-01T23:30", "01-02T01:15", "daily"),
    at("01-04T00:00", "01-04T02:00", "weekly"),
    at("01-31T22:00", "02-01T03:00", "monthly"),
  ];
}
