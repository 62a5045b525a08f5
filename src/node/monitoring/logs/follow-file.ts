import { type FileHandle, open, stat } from "node:fs/promises";
import { seconds } from "../../../lib/duration.ts";
import type { LogLine } from "./contract.ts";
import { parseSystemLine, TAIL_BYTES } from "./log-file.ts";
import type { Own } from "./needs.ts";
import { SYSTEM } from "./sources.ts";

const LOOK_MS = seconds(1);
const CHUNK_BYTES = 65_536;
const LINE_LIMIT = 65_536;

/** The first of the files that can be opened; null when none can. */
async function openFirst(paths: readonly string[]): Promise<{ path: string; file: FileHandle } | null> {
  for (const path of paths) {
    const file = await open(path, "r").catch(() => null);
    if (file !== null) return { path, file };
  }
  return null;
}

/** What a file has from `start` to its present end, in lines. The last one waits for its end in `rest`. */
async function* readOn(file: FileHandle, place: { at: number; rest: string }): AsyncIterable<string> {
  const decoder = new TextDecoder();
  const bytes = Buffer.alloc(CHUNK_BYTES);
  for (;;) {
    const { bytesRead } = await file.read(bytes, 0, CHUNK_BYTES, place.at);
    if (bytesRead === 0) return;
    // Up to the last line break: a character is never cut in two.
    const end = bytes.subarray(0, bytesRead).lastIndexOf(10) + 1;
    const whole = end === 0 ? bytesRead : end;
    if (end === 0 && bytesRead < CHUNK_BYTES && place.rest.length < LINE_LIMIT) return;
    place.at += whole;
    const parts = (place.rest + decoder.decode(bytes.subarray(0, whole))).split("\n");
    place.rest = (parts.pop() ?? "").slice(0, LINE_LIMIT);
    yield* parts;
  }
}

/** Follows the file of a syslog daemon from a moment on, through its rotation, until `signal` aborts or it cannot be read any more. */
export async function* followFile(
  { clock, system }: Pick<Own, "clock" | "system">,
  since: string,
  signal: AbortSignal,
): AsyncIterable<LogLine> {
  let opened = await openFirst(system.files);
  if (opened === null) return;
  try {
    const { size } = await opened.file.stat();
    const place = { at: Math.max(0, size - TAIL_BYTES), rest: "" };
    let isBehind = place.at === 0;
    const from = Date.parse(since);
    let isOld = true;
    while (!signal.aborted) {
      for await (const text of readOn(opened.file, place)) {
        const isWhole = isBehind;
        isBehind = true;
        if (text === "" || !isWhole) continue;
        const line = parseSystemLine(text, clock.now());
        // A line without time belongs to the one before it.
        if (line.at !== null) isOld = Date.parse(line.at) < from;
        if (!isOld) yield { from: SYSTEM, ...line };
      }
      await clock.sleep(LOOK_MS, signal);
      const [here, there] = [await opened.file.stat(), await stat(opened.path).catch(() => null)];
      if (here.size < place.at) Object.assign(place, { at: 0, rest: "" });
      if (there === null || there.ino === here.ino) continue;
      // Rotated: what was written to the old file after it was looked at last comes first.
      if (here.size > place.at) continue;
      const next = await openFirst([opened.path]);
      if (next === null) continue;
      await opened.file.close();
      opened = next;
      Object.assign(place, { at: 0, rest: "" });
    }
  } finally {
    await opened.file.close();
  }
}
