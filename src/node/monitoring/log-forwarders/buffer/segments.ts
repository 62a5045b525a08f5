import { open, readdir, stat, truncate, unlink } from "node:fs/promises";
import { join } from "node:path";
import { isRecord } from "../../../../lib/json.ts";
import { decodeFrame, measureFrames } from "./frame.ts";

/** One file of a buffer. Its name is the number of its first line, so that what a damaged one has lost can be counted. */
export interface Segment {
  first: number;
  bytes: number;
}

const NAME = /^(\d{15})\.lines$/;

/** Where a segment lies. */
export const segmentPath = (folder: string, first: number): string =>
  join(folder, `${String(first).padStart(15, "0")}.lines`);

/** What says nothing about a file: this program has too much open, or the machine too little memory. */
const PASSING: ReadonlySet<unknown> = new Set(["EMFILE", "ENFILE", "ENOMEM", "EAGAIN", "EINTR"]);

/** Bytes of a file from a place on, at most so many. */
export async function readPart(path: string, start: number, most: number): Promise<Buffer> {
  const file = await open(path, "r");
  try {
    const bytes = Buffer.allocUnsafe(most);
    const { bytesRead } = await file.read(bytes, 0, most, start);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/**
 * Whole lines from a place in a segment on, and how many bytes they take; none where the file cannot be read or is damaged. Throws
 * what passes: lines are not lost because the program was short of something.
 */
export async function readLines(
  path: string,
  start: number,
  most: { lines: number; bytes: number },
  read: typeof readPart = readPart,
): Promise<{ lines: Buffer[]; bytes: number }> {
  const bytes = await read(path, start, most.bytes).catch((error: unknown) => {
    if (isRecord(error) && PASSING.has(error["code"])) throw error;
    return Buffer.alloc(0);
  });
  const lines: Buffer[] = [];
  let end = 0;
  while (lines.length < most.lines) {
    const frame = decodeFrame(bytes, end);
    if (typeof frame === "string") break;
    lines.push(frame.line);
    end = frame.end;
  }
  return { lines, bytes: end };
}

/** Cuts off half a line at the end, as a crash leaves it, and takes an empty file away. */
async function mend(folder: string, { first, bytes }: Segment): Promise<{ lines: number; bytes: number }> {
  const path = segmentPath(folder, first);
  const { lines, end } = measureFrames(await readPart(path, 0, bytes));
  if (lines === 0) await unlink(path);
  else if (end < bytes) await truncate(path, end);
  return { lines, bytes: end };
}

/** The segments of a folder, oldest first, and the number of the next line. */
export async function findSegments(folder: string): Promise<{ segments: Segment[]; next: number }> {
  const firsts = (await readdir(folder)).flatMap((name) => NAME.exec(name)?.[1] ?? []).map(Number);
  const segments: Segment[] = [];
  for (const first of firsts.sort((left, right) => left - right)) {
    segments.push({ first, bytes: (await stat(segmentPath(folder, first))).size });
  }
  const last = segments.pop();
  if (!last) return { segments, next: 0 };
  const { lines, bytes } = await mend(folder, last);
  if (lines > 0) segments.push({ first: last.first, bytes });
  return { segments, next: last.first + lines };
}
