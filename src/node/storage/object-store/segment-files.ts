import { existsSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { Layout } from "./layout.ts";

/** A segment that is open for reading. */
export interface OpenSegment {
  file: FileHandle;
  /** It is needed no more. */
  release(): void;
}

/** Segments that were read from lately stay open: most reads are small, and opening costs more than reading. */
export interface SegmentFiles {
  take(segment: number): Promise<OpenSegment>;
  /** Closes those whose file is gone, so that the disk gets its room back. */
  forgetGone(): void;
  /**
   * Closes all of them, also those that somebody still reads from: the store has ended. What is taken afterwards is closed with its
   * reader.
   */
  close(): Promise<void>;
}

interface Kept {
  opening: Promise<FileHandle>;
  readers: number;
  /** Closed as soon as nobody reads from it. */
  isOver: boolean;
}

/** How many stay open though nobody reads from them. */
const MOST_IDLE = 32;

export function createSegmentFiles(layout: Layout): SegmentFiles {
  const kept = new Map<number, Kept>();
  let isClosed = false;

  async function end(entry: Kept): Promise<void> {
    await entry.opening.then((file) => file.close()).catch(() => {});
  }

  /** Takes one out; it is closed when its last reader is done. */
  function drop(segment: number, entry: Kept): void {
    if (kept.get(segment) === entry) kept.delete(segment);
    if (entry.isOver) return;
    entry.isOver = true;
    if (entry.readers === 0) void end(entry);
  }

  function release(entry: Kept): void {
    entry.readers -= 1;
    if (entry.readers === 0 && entry.isOver) void end(entry);
  }

  return {
    async take(segment) {
      const known = kept.get(segment);
      const entry = known ?? { opening: open(layout.segment(segment), "r"), readers: 0, isOver: isClosed };
      // The last one in the map is the one that was used last.
      kept.delete(segment);
      if (!isClosed) kept.set(segment, entry);
      entry.readers += 1;
      for (const [id, other] of kept) {
        if (kept.size <= MOST_IDLE) break;
        if (other.readers === 0) drop(id, other);
      }
      try {
        const file = await entry.opening;
        let isReleased = false;
        return {
          file,
          release() {
            if (!isReleased) release(entry);
            isReleased = true;
          },
        };
      } catch (error) {
        drop(segment, entry);
        entry.readers -= 1;
        throw error;
      }
    },
    forgetGone() {
      for (const [id, entry] of kept) if (!existsSync(layout.segment(id))) drop(id, entry);
    },
    async close() {
      isClosed = true;
      const open = [...kept];
      for (const [id, entry] of open) drop(id, entry);
      await Promise.all(open.map(([, entry]) => end(entry)));
    },
  };
}
