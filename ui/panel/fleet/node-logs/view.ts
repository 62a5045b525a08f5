import type { LogStreamLine } from "../../../../src/panel/fleet/node-logs/contract.ts";
import type { LogRow } from "../../../kit/logview.tsx";
import { type Level, levels, timeOf } from "../../../parts/log-lines.ts";

/** What the page shows, as its address says. */
export interface View {
  /** The name of an app; empty for the journal. */
  app: string;
  unit: string;
  level: Level | "";
  /** A regular expression. */
  grep: string;
  days: string;
  /** The moment that is looked at; null where the newest lines are. */
  at: string | null;
}

/** Lines that are read at first. */
const firstLines = 1000;
/** As many as there may be, so that the moment is among them. */
const momentLines = 5000;
/** What stands before a moment is shown as well. */
const beforeMs = 60_000;

/** What an address asks for; what it says wrong is left out. */
export function readView(query: URLSearchParams): View {
  const at = new Date(query.get("at") ?? "");
  const app = query.get("app") ?? "";
  return {
    app,
    unit: app === "" ? (query.get("unit") ?? "") : "",
    level: levels.find(({ value }) => value === query.get("level"))?.value ?? "",
    grep: query.get("q") ?? "",
    days: query.get("days") ?? "",
    at: Number.isNaN(at.getTime()) ? null : at.toISOString(),
  };
}

/** How the stream is asked for it. Several units stand apart by commas or spaces. */
export function streamQuery({ app, unit, level, grep, days, at }: View) {
  const units = unit.split(/[\s,]+/).filter((name) => name !== "");
  return {
    ...(app === "" ? { source: "journal" } : { source: "app", app }),
    ...(units.length > 0 && { unit: units }),
    ...(level !== "" && { level }),
    ...(grep !== "" && { grep }),
    ...(at === null && days !== "" && { since: `${days}d` }),
    ...(at !== null && { since: new Date(Date.parse(at) - beforeMs).toISOString(), follow: false }),
    lines: at === null ? firstLines : momentLines,
  };
}

/** A line as the view draws it, with all that it is. */
export interface ShownLine extends LogRow {
  line: LogStreamLine;
}

/** What takes time to write is only written for the lines that are in sight. `here` is the page's path: a time leads to what stands around it. */
export function rowOf(line: LogStreamLine, key: number, here: string, filters: string): ShownLine {
  return {
    line,
    key,
    level: line.level,
    text: line.message,
    source: line.source ?? "",
    get time() {
      return timeOf(line.ts);
    },
    get href() {
      return line.ts === null ? null : `${here}?${filters}at=${encodeURIComponent(line.ts)}`;
    },
  };
}

/** What a link to a moment keeps of the page: which log it is, not what was searched in it. */
export const keptFilters = ({ app, unit }: View): string =>
  `${app === "" ? "" : `app=${encodeURIComponent(app)}&`}${unit === "" ? "" : `unit=${encodeURIComponent(unit)}&`}`;

/** The first line at or after a moment, or the last one where all are before it; null without lines. */
export function targetOf(lines: readonly ShownLine[], at: string): number | null {
  const moment = Date.parse(at);
  const found = lines.find(({ line }) => line.ts !== null && Date.parse(line.ts) >= moment);
  return (found ?? lines.at(-1))?.key ?? null;
}

/** Whether the newest lines, which are all that can be read, begin only after a moment. */
export function isBehind(lines: readonly ShownLine[], at: string): boolean {
  const first = lines.find(({ line }) => line.ts !== null)?.line.ts ?? null;
  return lines.length >= momentLines && first !== null && Date.parse(first) > Date.parse(at);
}

/** A line as text, for whoever copies it. */
export const textOf = ({ ts, source, level, message }: LogStreamLine): string =>
  [ts ?? "-", source ?? "-", level ?? "-", message].join(" ");
