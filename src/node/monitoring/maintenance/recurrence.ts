/** How often a window comes back. */
export type Repeat = "one-time" | "daily" | "weekly" | "monthly";

/** A window as people write it: wall times in a zone. Start inclusive, end exclusive. */
export interface Recurrence {
  start: string;
  end: string;
  timezone: string;
  repeat: Repeat;
}

/** One occurrence, ms UTC; `start <= t < end` is inside. */
export interface Span {
  start: number;
  end: number;
}

/** A zone moves its clock by a day at most, so an occurrence is at most this far from where its date says. */
const SLACK_DAYS = 2;
const DAY_MS = 86_400_000;

interface Parsed {
  start: Temporal.PlainDateTime;
  end: Temporal.PlainDateTime;
  /** Calendar days between both dates. */
  days: number;
}

function parse({ start, end }: Recurrence): Parsed {
  const from = Temporal.PlainDateTime.from(start);
  const to = Temporal.PlainDateTime.from(end);
  return {
    start: from,
    end: to,
    days: from.toPlainDate().until(to.toPlainDate(), { largestUnit: "days" }).days,
  };
}

/** A wall time as an instant: skipped ones come as much later as the clock was moved, of repeated ones the first counts. */
const toInstant = (time: Temporal.PlainDateTime, zone: string): number => time.toZonedDateTime(zone).epochMilliseconds;

/** The date of occurrence number `index`; the 29th to 31st become the last day of shorter months. */
function dateOf(first: Temporal.PlainDate, repeat: Repeat, index: number): Temporal.PlainDate {
  switch (repeat) {
    case "one-time":
      return first;
    case "daily":
      return first.add({ days: index });
    case "weekly":
      return first.add({ weeks: index });
    case "monthly":
      return first.add({ months: index });
  }
}

/** Number of the last occurrence whose date is not after `date`; negative before the first. */
function indexAt(first: Temporal.PlainDate, repeat: Repeat, date: Temporal.PlainDate): number {
  const days = first.until(date, { largestUnit: "days" }).days;
  switch (repeat) {
    case "one-time":
      return days < 0 ? -1 : 0;
    case "daily":
      return days;
    case "weekly":
      return Math.floor(days / 7);
    case "monthly":
      return (date.year - first.year) * 12 + date.month - first.month;
  }
}

function occurrence(parsed: Parsed, { repeat, timezone }: Recurrence, index: number): Span {
  const date = dateOf(parsed.start.toPlainDate(), repeat, index);
  return {
    start: toInstant(date.toPlainDateTime(parsed.start.toPlainTime()), timezone),
    end: toInstant(date.add({ days: parsed.days }).toPlainDateTime(parsed.end.toPlainTime()), timezone),
  };
}

/**
 * Occurrences that end after `from` and begin before `to`, in order, `limit` at most. Times that a clock change swallows
 * whole give none.
 */
export function* occurrences(window: Recurrence, from: number, to: number, limit = 10_000): Generator<Span> {
  const parsed = parse(window);
  const first = parsed.start.toPlainDate();
  const around = Temporal.Instant.fromEpochMilliseconds(Math.trunc(from - (parsed.days + SLACK_DAYS) * DAY_MS));
  const begin = indexAt(first, window.repeat, around.toZonedDateTimeISO(window.timezone).toPlainDate());
  const last = window.repeat === "one-time" ? 0 : Number.POSITIVE_INFINITY;
  let given = 0;
  for (let index = Math.max(0, begin); index <= last && given < limit; index++) {
    const span = occurrence(parsed, window, index);
    if (span.start >= to) return;
    if (span.end <= from || span.end <= span.start) continue;
    given += 1;
    yield span;
  }
}

/** True while an occurrence of the window is on. */
export function isActive(window: Recurrence, now: number): boolean {
  for (const span of occurrences(window, now, now + 1)) if (span.start <= now && now < span.end) return true;
  return false;
}

/** The occurrence that is on, else the next one within ten years; null when there is none any more. */
export function nextSpan(window: Recurrence, now: number): Span | null {
  for (const span of occurrences(window, now, now + 3660 * DAY_MS, 1)) return span;
  return null;
}
