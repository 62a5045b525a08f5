import { isRecord } from "../../../client/problem.ts";

/** One thing that a terminal did; `at` is in seconds. */
export interface CastEvent {
  at: number;
  kind: "output" | "resize";
  data: string;
}

/** A recording, read. */
export interface Cast {
  columns: number;
  rows: number;
  events: CastEvent[];
  /** Seconds. */
  duration: number;
}

/** Pauses longer than this are cut to it where idle time is skipped. */
const idleMax = 2;

function readLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // The last line of a recording that was cut off.
    return null;
  }
}

/** Reads asciicast v2; null for anything else. */
export function readCast(text: string): Cast | null {
  const [first = "", ...lines] = text.split("\n");
  const header = readLine(first);
  if (!isRecord(header) || header["version"] !== 2) return null;
  const events = lines.flatMap((line): CastEvent[] => {
    const event = readLine(line);
    if (!Array.isArray(event)) return [];
    const [at, kind, data] = event;
    if (typeof at !== "number" || typeof data !== "string") return [];
    if (kind === "o") return [{ at, kind: "output", data }];
    return kind === "r" ? [{ at, kind: "resize", data }] : [];
  });
  return {
    columns: Number(header["width"]) || 80,
    rows: Number(header["height"]) || 24,
    events,
    duration: events.at(-1)?.at ?? 0,
  };
}

/** The same with long pauses cut, if wanted. */
export function withoutIdle(cast: Cast): Cast {
  let before = 0;
  let cut = 0;
  const events = cast.events.map((event) => {
    cut += Math.max(0, event.at - before - idleMax);
    before = event.at;
    return { ...event, at: event.at - cut };
  });
  return { ...cast, events, duration: events.at(-1)?.at ?? 0 };
}

/** The first event after a place, around to the beginning, whose output has a text; null for none. */
export function findText({ events }: Cast, text: string, after: number): number | null {
  const wanted = text.toLowerCase();
  const fits = ({ kind, data }: CastEvent): boolean => kind === "output" && data.toLowerCase().includes(wanted);
  const next = events.find((event) => event.at > after && fits(event)) ?? events.find(fits);
  return next?.at ?? null;
}
