import { open } from "node:fs/promises";
import { findHits } from "../../apps/app-logs/index.ts";
import type { Line } from "./contract.ts";
import { type Filter, type Found, toSearch } from "./filter.ts";

/** Where systems without a journal keep what programs and the kernel report. */
export const SYSTEM_FILES: readonly string[] = ["/var/log/syslog", "/var/log/messages"];

/** Only the end of a file is read. */
export const TAIL_BYTES = 4 * 1_048_576;
const TEXT_LIMIT = 16_384;
const ISO = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\S*) (?:\S+) ([^\s:[]+)(?:\[\d+\])?: (.*)$/s;
/** The older form has neither a year nor a zone. */
const OLD = /^([A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d) (?:\S+) ([^\s:[]+)(?:\[\d+\])?: (.*)$/s;

/** Its year is the one that puts it last before `now`. */
function yearless(text: string, now: number): Date {
  const year = new Date(now).getFullYear();
  const at = new Date(`${text} ${year}`);
  return at.getTime() > now + 86_400_000 ? new Date(`${text} ${year - 1}`) : at;
}

/** One line of a system log as syslog daemons write it. */
export function parseSystemLine(raw: string, now: number): Line {
  const iso = ISO.exec(raw);
  const [, stamp, source = null, text = raw] = iso ?? OLD.exec(raw) ?? [];
  const at = stamp === undefined ? null : iso ? new Date(stamp) : yearless(stamp, now);
  const isKnown = at !== null && !Number.isNaN(at.getTime());
  return { at: isKnown ? at.toISOString() : null, source, level: null, text: text.slice(0, TEXT_LIMIT) };
}

async function readTail(path: string): Promise<{ text: string; isWhole: boolean }> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const start = Math.max(0, size - TAIL_BYTES);
    const bytes = Buffer.alloc(size - start);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
    const text = bytes.toString("utf8", 0, bytesRead);
    // The first line begins before what was read.
    return start === 0 ? { text, isWhole: true } : { text: text.slice(text.indexOf("\n") + 1), isWhole: false };
  } finally {
    await file.close();
  }
}

/** A line without a time belongs to the one before it, and has its time. */
function* linesIn(text: string, now: number): Iterable<Line> {
  let at: string | null = null;
  for (const raw of text.split("\n")) {
    if (raw === "") continue;
    const line = parseSystemLine(raw, now);
    at = line.at ?? at;
    yield { ...line, at };
  }
}

/** The newest lines that fit of the first of `paths` that can be read; null when none can. */
export async function readLogFile(paths: readonly string[], filter: Filter, now: number): Promise<Found | null> {
  for (const path of paths) {
    const tail = await readTail(path).catch(() => null);
    if (tail === null) continue;
    const { hits } = await findHits(linesIn(tail.text, now), toSearch(filter));
    const isWhole = tail.isWhole || hits.length >= filter.count;
    const note = isWhole ? null : `Only the last ${TAIL_BYTES / 1_048_576} MiB of ${path} were looked at.`;
    return { from: path, hits, note };
  }
  return null;
}
