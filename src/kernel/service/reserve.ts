import { randomBytes } from "node:crypto";
import { closeSync, fstatSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { isDiskFull } from "../disk-full.ts";
import { freeBytesNow } from "../host/space.ts";

/** Room that a program keeps for itself on the disk with its data, for the day on which others have filled it. */
export interface Reserve {
  /** Whether it was given up because the disk was full, so that the program can start. */
  isGivenUp: boolean;
  /** Called once the program has started: keeps as much as the next start needs, or all of it where there is plenty of room. */
  keep(): void;
}

const MIB = 1024 * 1024;
/** What a start writes is less than 2 MiB; the rest is for signing in and tidying up. */
const BYTES = 16 * MIB;
const NEXT_START_BYTES = 4 * MIB;
const PLENTY_BYTES = 20 * BYTES;

/** With no more free than this only the reserve keeps a program going. */
export const FULL_BYTES = BYTES;
const FILE = "reserve";

/** Makes the file as large, or as large as there is room for. Filled with what no filesystem can compress away. */
function grow(path: string, bytes: number): void {
  const file = openSync(path, "a", 0o600);
  try {
    const piece = randomBytes(MIB);
    for (let size = fstatSync(file).size; size < bytes; )
      size += writeSync(file, piece, 0, Math.min(MIB, bytes - size));
  } catch (error) {
    if (!isDiskFull(error)) throw error;
  } finally {
    closeSync(file);
  }
}

/**
 * Opens the reserve of a data folder, before anything else in it is. SQLite cannot even be read after a kill without writing a
 * little, so that a program on a full disk would not come back until somebody tidied up by hand.
 */
export function openReserve(folder: string, freeBytes = freeBytesNow): Reserve {
  const path = join(folder, FILE);
  const isGivenUp = freeBytes(folder) < NEXT_START_BYTES;
  if (isGivenUp) rmSync(path, { force: true });
  return {
    isGivenUp,
    keep() {
      if (isGivenUp) grow(path, NEXT_START_BYTES);
      else if (freeBytes(folder) > PLENTY_BYTES) grow(path, BYTES);
    },
  };
}
