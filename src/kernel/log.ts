import { type Clock, toIso } from "../lib/clock.ts";

export type LogLevel = "debug" | "info" | "warn" | "error";
export type LogFields = Record<string, unknown>;

/** JSON lines: a constant message, everything variable in fields. Fields whose name looks secret are never written. */
export interface Log {
  debug(msg: string, fields?: LogFields): void;
  info(msg: string, fields?: LogFields): void;
  warn(msg: string, fields?: LogFields): void;
  error(msg: string, fields?: LogFields): void;
  /** A log whose every line also carries `fields`. */
  child(fields: LogFields): Log;
}

const RANK: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 };
const SECRET = /pass(word|phrase)?$|secret|token|authorization|cookie|api_?key|private_?key|credential/i;

function redact(value: unknown, depth = 0): unknown {
  if (value instanceof Error) return { name: value.name, message: value.message, stack: value.stack };
  if (typeof value !== "object" || value === null || depth > 4) return value;
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, SECRET.test(key) ? "[redacted]" : redact(item, depth + 1)]),
  );
}

/** A log that hands finished lines (without line end) to `write`. */
export function createLog(clock: Clock, level: LogLevel, write: (line: string) => void, base: LogFields = {}): Log {
  const at = (rank: LogLevel) => (msg: string, fields?: LogFields) => {
    if (RANK[rank] < RANK[level]) return;
    const extra = redact({ ...base, ...fields });
    write(JSON.stringify({ time: toIso(clock.now()), level: rank, msg, ...(extra as LogFields) }));
  };
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    child: (fields) => createLog(clock, level, write, { ...base, ...fields }),
  };
}
