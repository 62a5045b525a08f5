import { kernelFail } from "../../../kernel/http/errors.ts";
import { compareTimes, parseMoment } from "../../../lib/moment.ts";
import { createPattern, PatternCostError, PatternError } from "../../../lib/pattern.ts";
import { fail, type LogLevel } from "./contract.ts";

/** Which lines of a log are wanted. */
export interface LineFilter {
  /** This level and worse. */
  level: LogLevel | null;
  text: string | null;
  /** Whether `text` is a regular expression. */
  isPattern: boolean;
  /** Milliseconds since 1970, both included. */
  since: number | null;
  until: number | null;
  /** The time of a line: none that is later fits. Exact where a millisecond has a thousand lines. */
  upTo: string | null;
  /** The time of a line: those after it are wanted, the oldest of them and not the newest. */
  after: string | null;
}

interface FilterQuery {
  level?: LogLevel | undefined;
  q?: string | undefined;
  regex?: boolean | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

const LEVELS: readonly LogLevel[] = ["debug", "info", "warn", "error"];

function toMoment(field: "since" | "until", value: string | undefined): number | null {
  if (value === undefined) return null;
  const at = parseMoment(value);
  if (at === null) throw kernelFail("invalid_request", { field, reason: "must be a date or time in ISO 8601" });
  return at;
}

/** Whether a text has what is looked for. Throws `log_pattern_refused`; what it returns throws `log_pattern_too_costly`. */
function createTextMatcher(text: string | null, isPattern: boolean): (text: string) => boolean {
  if (text === null) return () => true;
  const small = text.toLowerCase();
  if (!isPattern) return (line) => line.toLowerCase().includes(small);
  try {
    const pattern = createPattern(text);
    return (line) => {
      try {
        return pattern.test(line);
      } catch (error) {
        throw error instanceof PatternCostError ? fail("log_pattern_too_costly") : error;
      }
    };
  } catch (error) {
    throw error instanceof PatternError ? fail("log_pattern_refused", { reason: error.message }) : error;
  }
}

/** The filter that a query asks for. Throws `invalid_request` for what is no moment, `log_pattern_refused` for what is no pattern. */
export function toLineFilter({ level, q, regex = false, since, until }: FilterQuery): LineFilter {
  createTextMatcher(q ?? null, regex);
  return {
    level: level ?? null,
    text: q ?? null,
    isPattern: regex && q !== undefined,
    since: toMoment("since", since),
    until: toMoment("until", until),
    upTo: null,
    after: null,
  };
}

/**
 * Whether a line is wanted, for one reading of a log: what a pattern costs is counted over all its lines, and too much is
 * `log_pattern_too_costly`. One without level is no warning, one without time is outside every range.
 */
export function createMatcher({ level, text, isPattern, since, until, upTo, after }: LineFilter) {
  const least = level === null ? 0 : LEVELS.indexOf(level);
  const hasText = createTextMatcher(text, isPattern);
  return (line: { at: string | null; level: LogLevel | null; text: string }): boolean => {
    if (least > 0 && (line.level === null || LEVELS.indexOf(line.level) < least)) return false;
    if (upTo !== null && compareTimes(line.at, upTo) > 0) return false;
    if (after !== null && compareTimes(line.at, after) <= 0) return false;
    if (since === null && until === null) return hasText(line.text);
    const at = line.at === null ? Number.NaN : Date.parse(line.at);
    const isInTime = at >= (since ?? Number.NEGATIVE_INFINITY) && at <= (until ?? Number.POSITIVE_INFINITY);
    return isInTime && hasText(line.text);
  };
}
