import { readFileSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { toIso } from "../../../../lib/clock.ts";
import { isRecord, parseJson } from "../../../../lib/json.ts";
import type { FollowedLine, Since } from "./followed.ts";

/** The last line of one log: its time, and how many lines of that very time there were. */
interface Last {
  at: string;
  count: number;
}

/** Logs come and go; one that is forgotten may give some lines again. */
const MOST_LOGS = 1_000;
/** Logs are read side by side: one may be so much behind the others. */
const SLACK_MS = 10_000;

/** Where the reading stands, kept in a file so that it goes on there after any end of the program. */
export interface ReadingPlace {
  /** Where to begin; the lines of just these moments come again, and are known. */
  since(): Since;
  /** True for a line that was read before. */
  wasRead(line: FollowedLine): boolean;
  /** Notes that these lines are kept. */
  note(lines: readonly FollowedLine[]): void;
  save(): Promise<void>;
}

interface Kept {
  /** Whatever was written before it has been read, in milliseconds. */
  until: number;
  logs: Map<string, Last>;
}

function parseKept(text: string): Kept | null {
  const kept = parseJson(text);
  if (!isRecord(kept) || typeof kept["until"] !== "number" || !isRecord(kept["logs"])) return null;
  const logs = Object.entries(kept["logs"]).flatMap(([from, last]): [string, Last][] =>
    isRecord(last) && typeof last["at"] === "string" && typeof last["count"] === "number"
      ? [[from, { at: last["at"], count: last["count"] }]]
      : [],
  );
  return { until: kept["until"], logs: new Map(logs) };
}

function readKept(path: string): Kept | null {
  try {
    return parseKept(readFileSync(path, "utf8"));
  } catch {
    return null;
  }
}

/** With nanoseconds: times of logs are compared as text, which needs them in one form. */
const moment = (at: number): string => toIso(at).replace("Z", "000000Z");

const later = (left: string, right: string): string => (left < right ? right : left);

/** Opens the place kept at `path`; without one reading begins now. */
export function openReadingPlace(path: string, now: () => number): ReadingPlace {
  const opened = now();
  const found = readKept(path);
  // A clock that was set back makes what was read look like the future: lines again are better than none.
  const kept = found !== null && found.until <= opened ? found : { until: opened, logs: new Map<string, Last>() };
  const { logs } = kept;
  let { until } = kept;
  let oldest = Number.POSITIVE_INFINITY;
  /** What was read before reading began, until each log has come past it. */
  let before = new Map<string, Last>();

  return {
    since() {
      before = new Map([...logs].map(([from, last]) => [from, { ...last }]));
      const least = moment(until);
      const each = [...logs].map(([from, { at }]): [string, string] => [from, later(at, least)]);
      return each.length === 0 ? least : Object.fromEntries(each);
    },
    wasRead({ from, at }) {
      const last = before.get(from);
      if (!last || at === null) return false;
      if (at < last.at) return true;
      if (at === last.at && last.count > 0) {
        last.count -= 1;
        return true;
      }
      before.delete(from);
      return false;
    },
    note(lines) {
      for (const { from, at } of lines) {
        if (at === null) continue;
        oldest = Math.min(oldest, Date.parse(at));
        const last = logs.get(from);
        logs.delete(from);
        logs.set(from, { at, count: last?.at === at ? last.count + 1 : 1 });
      }
      for (const from of logs.keys()) {
        if (logs.size <= MOST_LOGS) break;
        logs.delete(from);
      }
    },
    async save() {
      until = Math.max(until, Math.min(now(), oldest) - SLACK_MS);
      oldest = Number.POSITIVE_INFINITY;
      await writeFile(`${path}.new`, JSON.stringify({ until, logs: Object.fromEntries(logs) }), { mode: 0o600 });
      await rename(`${path}.new`, path);
    },
  };
}
