/** Times of day and days in the five fields of cron, in the zone of the machine. */
export interface Cron {
  /** The first moment after one, milliseconds since 1970; null where there is none in the next eight years. */
  next(after: number): number | null;
}

interface Field {
  least: number;
  most: number;
  names: readonly string[];
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const FIELDS: readonly Field[] = [
  { least: 0, most: 59, names: [] },
  { least: 0, most: 23, names: [] },
  { least: 1, most: 31, names: [] },
  { least: 1, most: 12, names: MONTHS },
  { least: 0, most: 7, names: DAYS },
];
const PART = /^(\*|[a-z0-9]+)(?:-([a-z0-9]+))?(?:\/(\d{1,2}))?$/;
/** The 29th of February can be eight years away. */
const MOST_DAYS = 8 * 366;

function readNumber(text: string, { least, most, names }: Field): number | null {
  const named = names.indexOf(text);
  const value = named !== -1 ? named + least : /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  return value >= least && value <= most ? value : null;
}

/** The numbers that a field means; null for what is none. */
function readField(text: string, field: Field): Set<number> | null {
  const numbers = new Set<number>();
  for (const part of text.split(",")) {
    const [, from = "", to, step] = PART.exec(part) ?? [];
    const first = from === "*" ? field.least : readNumber(from, field);
    const open = from === "*" || (step !== undefined && to === undefined);
    const last = to !== undefined ? readNumber(to, field) : open ? field.most : first;
    const by = step === undefined ? 1 : Number(step);
    if (first === null || last === null || last < first || by === 0 || (from === "*" && to !== undefined)) return null;
    for (let number = first; number <= last; number += by) numbers.add(number);
  }
  return numbers;
}

/**
 * Reads `minute hour day month weekday`: numbers, names of months and weekdays, lists, ranges, steps. As in cron, a day counts
 * where either the day or the weekday fits when both are given. Null for what is none. A time that the clock skips in spring is
 * taken an hour later, one that it shows twice in autumn the first time.
 */
export function parseCron(text: string): Cron | null {
  const fields = text.trim().toLowerCase().split(/\s+/);
  if (fields.length !== FIELDS.length) return null;
  const read = FIELDS.map((field, at) => readField(fields[at] ?? "", field));
  const [minutes, hours, days, months, weekdays] = read;
  if (!minutes || !hours || !days || !months || !weekdays) return null;
  if (weekdays.has(7)) weekdays.add(0);
  const anyDay = fields[2]?.startsWith("*") === true;
  const anyWeekday = fields[4]?.startsWith("*") === true;

  function fits(day: Date): boolean {
    if (!months?.has(day.getMonth() + 1)) return false;
    const isDay = days?.has(day.getDate()) === true;
    const isWeekday = weekdays?.has(day.getDay()) === true;
    return anyDay || anyWeekday ? isDay && isWeekday : isDay || isWeekday;
  }

  return {
    next(after) {
      const start = new Date(after);
      for (let later = 0; later <= MOST_DAYS; later += 1) {
        const day = new Date(start.getFullYear(), start.getMonth(), start.getDate() + later);
        if (!fits(day)) continue;
        let first = Number.POSITIVE_INFINITY;
        for (const hour of hours) {
          for (const minute of minutes) {
            const at = new Date(day.getFullYear(), day.getMonth(), day.getDate(), hour, minute).getTime();
            if (at > after && at < first) first = at;
          }
        }
        if (first !== Number.POSITIVE_INFINITY) return first;
      }
      return null;
    },
  };
}
