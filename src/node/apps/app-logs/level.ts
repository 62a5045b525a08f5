import type { LogLevel } from "./contract.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: this is what terminal colours are made of
const COLOURS = /\u001b\[[0-9;?]*[A-Za-z]/g;

const WORDS: Record<string, LogLevel> = {
  trace: "debug",
  debug: "debug",
  verbose: "debug",
  info: "info",
  information: "info",
  notice: "info",
  log: "info",
  warn: "warn",
  warning: "warn",
  error: "error",
  err: "error",
  severe: "error",
  critical: "error",
  crit: "error",
  alert: "error",
  fatal: "error",
  panic: "error",
  emerg: "error",
};

const WORD = Object.keys(WORDS).join("|");
/** `"level":"warn"`, `level=warn`, `lvl=warn`, `severity: "warn"`. */
const FIELD = new RegExp(`["']?\\b(?:level|lvl|severity)["']?\\s*[:=]\\s*["']?(${WORD})\\b`, "i");
/** `[warn]`, `<warn>`, `(warn)`, `|warn|`. */
const BRACKETS = new RegExp(`[[<(|]\\s*(${WORD})\\s*[\\]>)|]`, "i");
/** `WARN something`, `WARNING: …`, also after a date; lower case only with a colon, because words have other meanings. */
const UPPER = new RegExp(`(?:^|[\\s|:])(${WORD.toUpperCase()})(?=[\\s:|\\]]|$)`);
const LOWER = new RegExp(`^(?:\\S+\\s+){0,3}(${WORD}):`, "i");
/** Numbers of pino and bunyan. */
const NUMBER = /"level"\s*:\s*(10|20|30|40|50|60)\b/;
const NUMBERS: Record<string, LogLevel> = {
  10: "debug",
  20: "debug",
  30: "info",
  40: "warn",
  50: "error",
  60: "error",
};

/** Only the beginning is looked at: later words belong to the message. */
const LOOK_AT = 160;

/** The line without terminal colours. */
export function stripColours(line: string): string {
  return line.replace(COLOURS, "");
}

/** The level that a line claims to have; null when it claims none. */
export function detectLevel(line: string): LogLevel | null {
  const head = line.slice(0, LOOK_AT);
  const number = NUMBER.exec(line)?.[1];
  if (number !== undefined) return NUMBERS[number] ?? null;
  const word = (FIELD.exec(line) ?? BRACKETS.exec(head) ?? UPPER.exec(head) ?? LOWER.exec(head))?.[1];
  return word === undefined ? null : (WORDS[word.toLowerCase()] ?? null);
}
