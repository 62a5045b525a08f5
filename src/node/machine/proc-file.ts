import { closeSync, openSync, readFileSync, readSync, realpathSync } from "node:fs";
import { createScanner, type Scanner } from "./scanner.ts";

/** A kernel file that is read again and again through one descriptor: opening costs more than reading. */
export interface ProcFile {
  /** The whole text as of now; empty when there is no such file. */
  read(): string;
  /** The same without making a string of it, valid until the next file is read; null when there is no such file. */
  scan(): Scanner | null;
  close(): void;
}

/** The kernel hands these files out in pieces of at least this size; a shorter piece is the last one. */
const PAGE = 4096;
/** No line of a file that we read is as long; a piece ends early when the next line does not fit. */
const LONGEST_LINE = 1024;

// Kernel files have no size to ask for, so all readers share one big buffer.
const buffer = Buffer.allocUnsafe(1 << 18);
const scanner = createScanner(buffer, 0);

/** Fills the buffer; the length. */
function readWhole(descriptor: number): number {
  let length = 0;
  while (length < buffer.length) {
    const count = readSync(descriptor, buffer, length, buffer.length - length, length);
    length += count;
    if (count < PAGE - LONGEST_LINE) break;
  }
  return length;
}

/** Opens `path` on the first read. A file that is missing or went bad is tried again on the next one. */
export function procFile(path: string): ProcFile {
  let descriptor: number | null = null;

  function close(): void {
    if (descriptor !== null) closeSync(descriptor);
    descriptor = null;
  }

  /** The length of what is in the buffer now; -1 when the file cannot be read. */
  function fill(): number {
    try {
      descriptor ??= openSync(path, "r");
      return readWhole(descriptor);
    } catch {
      close();
      return -1;
    }
  }

  return {
    close,
    read: () => buffer.toString("latin1", 0, Math.max(0, fill())),
    scan() {
      const length = fill();
      if (length < 0) return null;
      scanner.restart(length);
      return scanner;
    },
  };
}

/** A small file that is read rarely, without its trailing line end; null when it cannot be read. */
export function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8").trimEnd();
  } catch {
    return null;
  }
}

/** The path with all links followed; null when there is no such thing. */
export function resolvePath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
