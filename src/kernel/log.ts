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
const SECRET = /passw(or)?d|passphrase|pass$|secret|token|authorization|cookie|api_?key|private_?key|credential/i;

const MAX_DEPTH = 5;
const MAX_ITEMS = 100;

const MAX_KNOWN_NAMES = 1_000;
const knownNames = new Map<string, boolean>();

/** Whether a field's name looks secret; remembered, because a running program logs the same few names all the time. */
function isSecret(name: string): boolean {
  const known = knownNames.get(name);
  if (known !== undefined) return known;
  const answer = SECRET.test(name);
  if (knownNames.size < MAX_KNOWN_NAMES) knownNames.set(name, answer);
  return answer;
}

/** What is safe and possible to write: bounded in depth (so that cycles end) and without secrets. */
function redact(value: unknown, depth = 0): unknown {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth > MAX_DEPTH) return "[deep]";
  if (value instanceof Error) return describeError(value, depth);
  if (value instanceof Date) return value.toJSON();
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => redact(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, isSecret(key) ? "[redacted]" : redact(item, depth + 1)]),
  );
}

function describeError(error: Error, depth: number): LogFields {
  const { name, message, stack } = error;
  return {
    name,
    message,
    ...("code" in error ? { code: redact(error.code, depth + 1) } : {}),
    ...(error.cause === undefined ? {} : { cause: redact(error.cause, depth + 1) }),
    stack,
  };
}

interface LineHead {
  time: string;
  level: LogLevel;
  msg: string;
}

/** One line. Logging never throws: a line whose fields resist is written without them. */
function formatLine(head: LineHead, ...sources: LogFields[]): string {
  try {
    const line: LogFields = { time: head.time, level: head.level, msg: head.msg };
    for (const fields of sources) {
      for (const name of Object.keys(fields)) {
        // No field can pose as the message, its level or its time.
        if (name === "time" || name === "level" || name === "msg") continue;
        line[name] = isSecret(name) ? "[redacted]" : redact(fields[name], 1);
      }
    }
    return JSON.stringify(line);
  } catch {
    return JSON.stringify({ ...head, fields: "could not be written" });
  }
}

/** Wall time as text; many lines of a busy moment share one. */
function createTimeText(clock: Pick<Clock, "now">): () => string {
  let last = Number.NaN;
  let text = "";
  return () => {
    const now = clock.now();
    if (now !== last) {
      last = now;
      text = toIso(now);
    }
    return text;
  };
}

/** A log that hands finished lines (without line end) to `write`. */
export function createLog(
  clock: Clock,
  level: LogLevel,
  write: (line: string, level: LogLevel) => void,
  base: LogFields = {},
): Log {
  const timeText = createTimeText(clock);
  const at =
    (rank: LogLevel) =>
    (msg: string, fields: LogFields = {}) => {
      if (RANK[rank] < RANK[level]) return;
      write(formatLine({ time: timeText(), level: rank, msg }, base, fields), rank);
    };
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    child: (fields) => createLog(clock, level, write, { ...base, ...fields }),
  };
}
