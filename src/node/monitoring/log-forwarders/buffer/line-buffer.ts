import { type FileHandle, mkdir, open, rm, unlink } from "node:fs/promises";
import { join } from "node:path";
import { createGate } from "../../../../lib/gate.ts";
import { encodeFrame } from "./frame.ts";
import { openNoteFile } from "./note-file.ts";
import { findSegments, readLines, readPart, type Segment, segmentPath } from "./segments.ts";

/** A place between two lines: the number of the line after it, and where that begins. */
export interface Position {
  line: number;
  segment: number;
  offset: number;
}

/** What a buffer holds, and what became of all that it ever held. */
export interface BufferCounts {
  waiting: number;
  waiting_bytes: number;
  sent: number;
  dropped: number;
}

/** Why lines are lost: too many waited, the disk took none, what stands there is damaged, or the receiver will not have them. */
export type DropReason = "limit" | "disk" | "damage" | "refused";

/** Lines on disk that wait to be sent, in order. */
export interface LineBuffer {
  /** Adds lines. Never waits for whoever reads: beyond the limit the oldest go, and where nothing can be written the new ones. */
  append(lines: readonly Uint8Array[]): Promise<void>;
  /** Lines from a place on, and the place after them. Throws when they cannot be read for the moment. */
  read(from: Position, most: { lines: number; bytes: number }): Promise<{ lines: Buffer[]; end: Position }>;
  /** Everything before `end` is done with; so many of it were delivered. */
  acknowledge(end: Position, delivered: number): Promise<void>;
  /** Gives up everything before `end`, so many lines: the receiver will not have them. */
  discard(end: Position, lines: number): Promise<void>;
  /** The first line that is not acknowledged. */
  start(): Position;
  counts(): BufferCounts;
  /** Brings what was appended onto the disk. */
  sync(): Promise<void>;
  /** Lets the oldest lines go to make room; false when there are none. */
  dropOldest(): Promise<boolean>;
  close(): Promise<void>;
  /** Closes it and takes its files away. */
  remove(): Promise<void>;
}

export interface BufferOptions {
  folder: string;
  /** Most bytes that wait. */
  limit: number;
  segmentBytes?: number;
  /** Told whenever lines are lost. */
  onDrop(lines: number, why: DropReason): void;
  /** How bytes get into a file; tests let it fail. */
  write?(file: FileHandle, bytes: Uint8Array, at: number): Promise<void>;
  /** How they get out of it. */
  read?: typeof readPart;
}

const SEGMENT_BYTES = 1_048_576;

async function writeAll(file: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, at + done);
    if (bytesWritten === 0) throw new Error("nothing could be written");
    done += bytesWritten;
  }
}

const toCount = (value: unknown): number => (Number.isSafeInteger(value) ? Number(value) : 0);

/**
 * Opens the buffer in `folder`, which is made when there is none. Lines are numbered; a file holds about a megabyte of them and
 * goes when its last one is delivered. Whatever a crash cuts off, what comes back are whole lines in their order, some of them
 * perhaps again.
 */
export async function openLineBuffer(options: BufferOptions): Promise<LineBuffer> {
  const { folder, limit, onDrop, segmentBytes = SEGMENT_BYTES, write = writeAll, read = readPart } = options;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const note = await openNoteFile(join(folder, "state"));
  const { line = 0, segment = 0, offset = 0, sent: sentBefore, dropped: droppedBefore } = note.read() ?? {};
  const found = await findSegments(folder);
  const segments: Segment[] = found.segments;
  // A number that was acknowledged is not given to another line, also where the disk has lost the first one.
  let next = Math.max(found.next, toCount(line));
  let sent = toCount(sentBefore);
  let dropped = toCount(droppedBefore);
  let acked = settle({ line: toCount(line), segment: toCount(segment), offset: toCount(offset) });
  /** The file that is being written; each start begins another. */
  let active: { file: FileHandle; segment: Segment } | null = null;
  /** Whatever changes files waits for what changed them before. */
  const alone = createGate(1);

  /** The same place, or where its file is gone the first one after it. */
  function settle(place: Position): Position {
    const own = segments.find(({ first }) => first === place.segment);
    if (own && place.line >= own.first && place.offset <= own.bytes) return place;
    const first = segments.find((later) => later.first >= place.line)?.first ?? next;
    return { line: first, segment: first, offset: 0 };
  }

  /** Without the note some lines come again after a crash, which is allowed; a full disk must not stop the sending. */
  const keepNote = (): Promise<void> => note.write({ ...acked, sent, dropped }).catch(() => {});

  function lose(lines: number, why: DropReason): void {
    if (lines <= 0) return;
    dropped += lines;
    onDrop(lines, why);
  }

  async function closeActive(): Promise<void> {
    const last = active;
    active = null;
    await last?.file.datasync().catch(() => {});
    await last?.file.close();
  }

  async function takeAway(gone: Segment): Promise<void> {
    if (active?.segment === gone) await closeActive();
    const index = segments.indexOf(gone);
    if (index !== -1) segments.splice(index, 1);
    await unlink(segmentPath(folder, gone.first)).catch(() => {});
  }

  async function openActive(): Promise<{ file: FileHandle; segment: Segment }> {
    if (active && active.segment.bytes < segmentBytes) return active;
    await closeActive();
    // One that was begun and got no line has the same name.
    if (segments.at(-1)?.first === next) segments.pop();
    const fresh: Segment = { first: next, bytes: 0 };
    const file = await open(segmentPath(folder, fresh.first), "w", 0o600);
    segments.push(fresh);
    active = { file, segment: fresh };
    return active;
  }

  const size = (): number => segments.reduce((sum, { bytes }) => sum + bytes, 0);

  async function dropOldest(): Promise<boolean> {
    const [oldest, second] = segments;
    if (!oldest || oldest.bytes === 0) return false;
    const end = second?.first ?? next;
    await takeAway(oldest);
    lose(end - Math.max(acked.line, oldest.first), "limit");
    if (acked.line < end) acked = { line: end, segment: end, offset: 0 };
    await keepNote();
    return true;
  }

  async function tryAppend(lines: readonly Uint8Array[]): Promise<void> {
    const bytes = Buffer.concat(lines.map(encodeFrame));
    const { file, segment } = await openActive();
    try {
      await write(file, bytes, segment.bytes);
    } catch (error) {
      // What was written of it would be read as damage.
      await file.truncate(segment.bytes).catch(() => {});
      throw error;
    }
    segment.bytes += bytes.length;
    next += lines.length;
  }

  /** Gives up what is left of a segment that cannot be read from `place` on; gives the place after it. */
  async function passDamage(damaged: Segment, place: Position): Promise<Position> {
    // A full stop: the lines that come next go into another file.
    if (active?.segment === damaged) await closeActive();
    const end = segments.find(({ first }) => first > damaged.first)?.first ?? next;
    lose(end - place.line, "damage");
    return { line: end, segment: end, offset: 0 };
  }

  /** Forgets everything before `end`. */
  async function goOn(end: Position): Promise<void> {
    // What was dropped while it was under way is behind us already.
    if (end.line < acked.line) return keepNote();
    acked = end;
    for (const done of segments.filter(({ first }) => first < end.segment)) await takeAway(done);
    const [only] = segments;
    // Whoever has caught up takes no room.
    if (only && segments.length === 1 && only.first === end.segment && end.offset === only.bytes) {
      await takeAway(only);
      acked = { line: next, segment: next, offset: 0 };
    }
    await keepNote();
  }

  return {
    append: (lines) =>
      alone(async () => {
        try {
          await tryAppend(lines);
        } catch {
          lose(lines.length, "disk");
          return keepNote();
        }
        while (size() > limit && (await dropOldest()));
      }),

    async read(from, most) {
      let place = settle(from);
      for (;;) {
        const own = segments.find(({ first }) => first === place.segment);
        if (!own) return { lines: [], end: place };
        const left = own.bytes - place.offset;
        if (left === 0) {
          const after = segments.find(({ first }) => first > own.first);
          if (!after) return { lines: [], end: place };
          place = { line: after.first, segment: after.first, offset: 0 };
          continue;
        }
        const path = segmentPath(folder, own.first);
        const { lines, bytes } = await readLines(
          path,
          place.offset,
          { ...most, bytes: Math.min(most.bytes, left) },
          read,
        );
        const end = { ...place, line: place.line + lines.length, offset: place.offset + bytes };
        if (lines.length > 0) return { lines, end };
        // It may have gone while it was read, to make room.
        const stood = place;
        place = segments.includes(own) ? await alone(() => passDamage(own, stood)) : settle(place);
      }
    },

    acknowledge: (end, delivered) =>
      alone(() => {
        sent += delivered;
        return goOn(end);
      }),
    discard: (end, lines) =>
      alone(() => {
        lose(lines, "refused");
        return goOn(end);
      }),

    start: () => acked,
    counts: () => {
      const done = segments.some(({ first }) => first === acked.segment) ? acked.offset : 0;
      return { waiting: next - acked.line, waiting_bytes: size() - done, sent, dropped };
    },
    sync: () => alone(async () => active?.file.datasync().catch(() => {})),
    dropOldest: () => alone(dropOldest),
    close: () =>
      alone(async () => {
        await closeActive();
        await keepNote();
        await note.close();
      }),
    remove: () =>
      alone(async () => {
        await closeActive();
        await note.close();
        await rm(folder, { recursive: true, force: true });
      }),
  };
}
