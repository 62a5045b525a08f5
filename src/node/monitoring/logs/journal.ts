import type { RunProgram } from "../../../kernel/host/run-program.ts";
import { seconds } from "../../../lib/duration.ts";
import { isRecord, parseJson } from "../../../lib/json.ts";
import { findHits, toSince } from "../../apps/app-logs/index.ts";
import { fail, type Level, type Line } from "./contract.ts";
import { type Filter, type Found, toSearch } from "./filter.ts";

interface Deps {
  run: RunProgram;
  signal: AbortSignal;
}

const LIMIT_MS = seconds(10);
/** A line that is longer is cut: some programs write whole files in one. */
const TEXT_LIMIT = 16_384;
const FIELDS = "MESSAGE,PRIORITY,SYSLOG_IDENTIFIER,_SYSTEMD_UNIT";
/** journalctl takes numbers as "this and worse". */
const PRIORITIES: Record<Level, string | null> = { debug: null, info: "6", warn: "4", error: "3" };
const JOIN_GROUP =
  "Add the account that Orrery runs as to the group systemd-journal (sudo usermod -aG systemd-journal ACCOUNT) and restart Orrery.";

/** The text as a pattern that finds nothing else: a backslash before a sign that is no letter or digit takes its meaning away. */
const quote = (text: string): string => text.replace(/[ -/:-@[-`{-~]/g, "\\$&");

/** journalctl knows no time before 1970, and no line is older. */
const moment = (at: number): string => `@${(Math.max(0, at) / 1000).toFixed(3)}`;

/** The time of a line, to the microsecond. */
const lineMoment = (at: string): string => (Date.parse(at) < 0 ? moment(0) : `@${toSince(at).slice(0, -3)}`);

/** The first moment that is wanted; null where there is none. */
function beginOf({ since, after }: Filter): string | null {
  if (after !== null && Date.parse(after) >= (since ?? Number.NEGATIVE_INFINITY)) return lineMoment(after);
  return since === null ? null : moment(since);
}

/** The last moment that is wanted; null where there is none. */
function endOf({ until, upTo }: Filter): string | null {
  if (upTo !== null && Date.parse(upTo) <= (until ?? Number.POSITIVE_INFINITY)) return lineMoment(upTo);
  return until === null ? null : moment(until);
}

/** journalctl knows neither our patterns nor neighbours: then so many of the newest are looked at here. */
const LOOK_AT = 20_000;
const isLookedAt = ({ isPattern, context, text, level }: Filter): boolean =>
  isPattern || (context > 0 && (text !== null || level !== null));

function argvOf(filter: Filter, units: readonly string[]): string[] {
  const until = endOf(filter);
  const isHere = isLookedAt(filter);
  const { text, level, count } = isHere ? { text: null, level: null, count: LOOK_AT } : filter;
  const since = beginOf(filter);
  const priority = level === null ? null : PRIORITIES[level];
  return [
    "journalctl",
    "--no-pager",
    // Without it, a message of more than 4 KiB is null.
    "--all",
    "--output=json",
    `--output-fields=${FIELDS}`,
    // journalctl has no word for the oldest so many.
    ...(filter.after === null ? ["--reverse", `--lines=${count}`] : []),
    ...(priority === null ? [] : [`--priority=${priority}`]),
    ...(text === null ? [] : [`--grep=${quote(text)}`, "--case-sensitive=no"]),
    ...(since === null ? [] : [`--since=${since}`]),
    ...(until === null ? [] : [`--until=${until}`]),
    ...units.map((unit) => `--unit=${unit}`),
  ];
}

/** How journalctl is asked for what is written from a moment on, without an end. */
export const argvToFollow = (since: string): string[] => [
  ...["journalctl", "--no-pager", "--all", "--output=json", `--output-fields=${FIELDS}`],
  ...["--follow", "--no-tail", `--since=@${Math.max(0, Date.parse(since) / 1000).toFixed(3)}`],
];

function toLevel(priority: unknown): Level | null {
  const number = typeof priority === "string" && /^[0-7]$/.test(priority) ? Number(priority) : null;
  if (number === null) return null;
  if (number <= 3) return "error";
  if (number === 4) return "warn";
  return number === 7 ? "debug" : "info";
}

/** A message is text, the bytes of one that is none, null where it is too long for JSON, or a list of several. */
function toText(message: unknown): string {
  if (typeof message === "string") return message;
  if (!Array.isArray(message)) return "";
  if (message.every((item) => typeof item === "number")) return new TextDecoder().decode(Uint8Array.from(message));
  return message.map(toText).join(" ");
}

/** Microseconds since 1970 as ISO 8601 with all of them, so that no two entries seem to be one. */
function toTime(microseconds: unknown): string | null {
  if (typeof microseconds !== "string" || !/^\d{4,16}$/.test(microseconds)) return null;
  const at = new Date(Number(microseconds.slice(0, -3)));
  return at.toISOString().replace("Z", `${microseconds.slice(-3)}Z`);
}

/** One entry as journalctl prints it; null for what is none. */
export function toLine(json: string): Line | null {
  const entry = parseJson(json);
  if (!isRecord(entry)) return null;
  const at = toTime(entry["__REALTIME_TIMESTAMP"]);
  const source = entry["_SYSTEMD_UNIT"] ?? entry["SYSLOG_IDENTIFIER"];
  return {
    at,
    source: typeof source === "string" ? source : null,
    level: toLevel(entry["PRIORITY"]),
    text: toText(entry["MESSAGE"]).slice(0, TEXT_LIMIT),
  };
}

/** Why there is nothing to read, as far as journalctl tells; null when it could read. */
export function whyNot({
  code,
  stderr,
}: {
  code: number;
  stderr: string;
}): { message: string; next_step: string } | null {
  if (code === 127)
    return {
      message: "This server has no journalctl.",
      next_step: "The journal needs systemd; apps have logs of their own.",
    };
  if (stderr.includes("No journal files were found"))
    return { message: "This server keeps no journal.", next_step: "Start systemd-journald to have one." };
  if (stderr.includes("insufficient permissions"))
    return { message: "Orrery may not read the journal.", next_step: JOIN_GROUP };
  // Without a hit it ends with 1 and says nothing.
  if (code === 0 || stderr.trim() === "") return null;
  return {
    message: `journalctl could not read: ${stderr.trim().slice(0, 300)}`,
    next_step: "Try again with other filters.",
  };
}

/**
 * The newest lines of the journal that fit, or the next ones after a line, of these units or of all where there are none. journalctl filters, outside this program and for ten seconds at most. Throws
 * `logs_unavailable` and `logs_too_slow`.
 */
export async function readJournal({ run, signal }: Deps, filter: Filter, units: readonly string[]): Promise<Found> {
  const end = await run(argvOf(filter, units), { timeoutMs: LIMIT_MS, signal });
  if (end.signal !== null) throw fail("logs_too_slow", { seconds: LIMIT_MS / 1000 });
  const reason = whyNot(end);
  if (reason !== null) throw fail("logs_unavailable", reason);
  const lines = end.stdout.split("\n").flatMap((json) => toLine(json) ?? []);
  const isBehind = filter.after !== null;
  if (!isBehind) lines.reverse();
  if (!isBehind && !isLookedAt(filter)) {
    const hits = lines.map((line) => ({ line, before: [], after: [] }));
    return { from: "journal", hits, note: noteOn(end) };
  }
  const { hits, searched } = await findHits(lines, toSearch(filter));
  const isToEnd = end.cut.length === 0 && (isBehind || searched < LOOK_AT);
  const side = isBehind ? "first" : "newest";
  if (hits.length < filter.count && !isToEnd)
    return { from: "journal", hits, note: `Only the ${side} ${searched} lines were looked at.` };
  return { from: "journal", hits, note: noteOn({ ...end, cut: isBehind ? [] : end.cut }) };
}

function noteOn({ stderr, cut }: { stderr: string; cut: readonly string[] }): string | null {
  if (stderr.includes("not seeing messages from other users"))
    return `Only what Orrery wrote itself can be read. ${JOIN_GROUP}`;
  return cut.includes("stdout")
    ? "These lines are too long to be shown all; the oldest are left out. Ask for fewer."
    : null;
}
