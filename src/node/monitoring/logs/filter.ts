import { kernelFail } from "../../../kernel/http/errors.ts";
import { parseMoment } from "../../../lib/moment.ts";
import type { Level, Line, LogQuery } from "./contract.ts";

/** What of a log is wanted. */
export interface Filter {
  /** The newest so many that fit. */
  count: number;
  /** This level and worse. */
  level: Level | null;
  text: string | null;
  /** Milliseconds since 1970, both included. */
  since: number | null;
  until: number | null;
}

const DEFAULT_LINES = 200;
const LEVELS: readonly Level[] = ["debug", "info", "warn", "error"];

function toMoment(field: "since" | "until", value: string | undefined): number | null {
  if (value === undefined) return null;
  const at = parseMoment(value);
  if (at === null) throw kernelFail("invalid_request", { field, reason: "must be a date or time in ISO 8601" });
  return at;
}

/** The filter that a query asks for. Throws `invalid_request` for what is no moment. */
export function toFilter({ lines = DEFAULT_LINES, level, q, since, until }: LogQuery): Filter {
  return {
    count: lines,
    level: level ?? null,
    text: q ?? null,
    since: toMoment("since", since),
    until: toMoment("until", until),
  };
}

/** Whether a line is wanted. One without level is no warning, one without time is outside every range. */
export function createMatcher({ level, text, since, until }: Filter): (line: Line) => boolean {
  const least = level === null ? 0 : LEVELS.indexOf(level);
  const wanted = text?.toLowerCase() ?? null;
  return (line) => {
    if (least > 0 && (line.level === null || LEVELS.indexOf(line.level) < least)) return false;
    if (wanted !== null && !line.text.toLowerCase().includes(wanted)) return false;
    if (since === null && until === null) return true;
    const at = line.at === null ? Number.NaN : Date.parse(line.at);
    return at >= (since ?? Number.NEGATIVE_INFINITY) && at <= (until ?? Number.POSITIVE_INFINITY);
  };
}
