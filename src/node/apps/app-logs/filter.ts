import { kernelFail } from "../../../kernel/http/errors.ts";
import { parseMoment } from "../../../lib/moment.ts";
import type { LogLevel } from "./contract.ts";

/** Which lines of a log are wanted. */
export interface LineFilter {
  /** This level and worse. */
  level: LogLevel | null;
  text: string | null;
  /** Milliseconds since 1970, both included. */
  since: number | null;
  until: number | null;
}

interface FilterQuery {
  level?: LogLevel | undefined;
  q?: string | undefined;
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

/** The filter that a query asks for. Throws `invalid_request` for what is no moment. */
export const toLineFilter = ({ level, q, since, until }: FilterQuery): LineFilter => ({
  level: level ?? null,
  text: q ?? null,
  since: toMoment("since", since),
  until: toMoment("until", until),
});

/** Whether a line is wanted. One without level is no warning, one without time is outside every range. */
export function createMatcher({ level, text, since, until }: LineFilter) {
  const least = level === null ? 0 : LEVELS.indexOf(level);
  const wanted = text?.toLowerCase() ?? null;
  return (line: { at: string | null; level: LogLevel | null; text: string }): boolean => {
    if (least > 0 && (line.level === null || LEVELS.indexOf(line.level) < least)) return false;
    if (wanted !== null && !line.text.toLowerCase().includes(wanted)) return false;
    if (since === null && until === null) return true;
    const at = line.at === null ? Number.NaN : Date.parse(line.at);
    return at >= (since ?? Number.NEGATIVE_INFINITY) && at <= (until ?? Number.POSITIVE_INFINITY);
  };
}
