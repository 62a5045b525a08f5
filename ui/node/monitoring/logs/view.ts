import type { AllPage, FoundLine, LogLine } from "../../../../src/node/monitoring/logs/contract.ts";
import type { LogRow } from "../../../kit/logview.tsx";
import { type Level, levels, timeOf } from "../../../parts/log-lines.ts";

/** What the page shows, as its address says. */
export interface View {
  /** One log; empty for all. */
  source: string;
  unit: string;
  level: Level | "";
  text: string;
  isRegex: boolean;
  days: string;
  /** Lines before and after each that fits. */
  around: string;
  /** The moment that is looked at; null where the newest lines are. */
  at: string | null;
}

export const arounds: { value: string; label: string }[] = [
  { value: "", label: "Only lines that fit" },
  { value: "2", label: "2 lines around" },
  { value: "5", label: "5 lines around" },
  { value: "10", label: "10 lines around" },
];

/** What an address asks for; what it says wrong is left out. */
export function readView(query: URLSearchParams): View {
  const source = query.get("source") ?? "";
  return {
    source,
    unit: source === "system" ? (query.get("unit") ?? "") : "",
    level: levels.find(({ value }) => value === query.get("level"))?.value ?? "",
    text: query.get("q") ?? "",
    isRegex: query.get("regex") === "1",
    days: query.get("days") ?? "",
    around: arounds.find(({ value }) => value === query.get("around"))?.value ?? "",
    at: momentOf(query.get("at") ?? ""),
  };
}

/** A moment as lines have theirs, with all that it says: a container may write a thousand lines in a millisecond. */
function momentOf(text: string): string | null {
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) return null;
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(text) ? text : at.toISOString();
}

/** The line that a moment means: the one that was written then, and otherwise the next one, or the last before it. */
export function lineAt(at: string, older: readonly ShownLine[], newer: readonly ShownLine[]): number | null {
  const last = older.at(-1);
  return (last?.line.at === at ? last : (newer[0] ?? last))?.key ?? null;
}

/** Where the timeline shows what happened around a moment. */
export function timelineLink(at: string): string {
  const iso = (ms: number): string => encodeURIComponent(new Date(ms).toISOString());
  return `/timeline?from=${iso(Date.parse(at) - aroundMs)}&to=${iso(Date.parse(at) + aroundMs)}`;
}

const aroundMs = 900_000;

/** The filters that both routes take. */
export function filtersOf({ source, unit, level, text, isRegex }: View) {
  return {
    ...(source !== "" && { source }),
    ...(unit !== "" && { unit }),
    ...(level !== "" && { level }),
    ...(text !== "" && { q: text }),
    ...(text !== "" && isRegex && { regex: true }),
  };
}

/** Found lines with those around them as one list, in which no line stands twice. */
export function spread(found: readonly FoundLine[]): { line: LogLine; isAround: boolean }[] {
  const spreadOut: { line: LogLine; isAround: boolean }[] = [];
  const keyOf = ({ from, at, text }: LogLine): string => `${from} ${at} ${text}`;
  const hits = new Set(found.map(({ line }) => keyOf(line)));
  const shown = new Set<string>();
  for (const { before, line, after } of found) {
    for (const near of before) addNear(near);
    spreadOut.push({ line, isAround: false });
    for (const near of after) addNear(near);
  }
  return spreadOut;

  function addNear(near: LogLine): void {
    const key = keyOf(near);
    if (hits.has(key) || shown.has(key)) return;
    shown.add(key);
    spreadOut.push({ line: near, isAround: true });
  }
}

/** Where older lines are asked for next: the same place again where a log could not be read, and nothing came from another. */
export function cursorAfter(asked: string | null, { found, next_cursor, sources }: AllPage): string | null {
  const isBroken = found.length === 0 && sources.some(({ is_readable }) => !is_readable);
  return isBroken ? asked : next_cursor;
}

const nameOf = (source: string): string => source.replace(/^docker:/, "");

/** What is written before a line: the log it stands in, and within the system's who wrote it. */
function sourceOf({ from, source }: LogLine, isOne: boolean): string {
  if (from === "system") return source ?? "system";
  return isOne ? "" : nameOf(from);
}

/** A line as the view draws it, with all that it is. */
export interface ShownLine extends LogRow {
  line: LogLine;
}

/**
 * A line as the view draws it; its time leads to what stands around it. What takes time to write is only written for the lines that are
 * in sight: thousands may come in a second.
 */
export function rowOf(line: LogLine, key: number, isOne: boolean, isAround = false): ShownLine {
  return {
    line,
    key,
    level: line.level,
    text: line.text,
    isAround,
    get time() {
      return timeOf(line.at);
    },
    get source() {
      return sourceOf(line, isOne);
    },
    get href() {
      return line.at === null ? null : `/logs?at=${encodeURIComponent(line.at)}`;
    },
  };
}

/** A line as text, for whoever copies it. */
export const textOf = ({ from, at, source, level, text }: LogLine): string =>
  [at ?? "-", nameOf(from), source ?? "-", level ?? "-", text].join(" ");
