import { type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { readText } from "./proc-file.ts";

/** A lock for writing that some process holds: `3: POSIX  ADVISORY  WRITE 24313 fe:00:402117 0 EOF`. Who waits for one has an arrow. */
const HELD = /^\d+: \S+ +\S+ +WRITE +\S+ ([0-9a-f]+):([0-9a-f]+):(\d+) /gm;

function factsOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}

const minorOf = (dev: number) => (dev & 0xff) | ((dev >>> 12) & 0xfff00);
const majorOf = (dev: number) => (dev >>> 8) & 0xfff;

/** True when some process that can be seen from here holds a lock for writing on one of these files. */
export function isLocked(root: string, paths: readonly string[]): boolean {
  const files = paths.map((path) => factsOf(join(root, path))).filter((facts) => facts !== null);
  return [...(readText(join(root, "proc/locks")) ?? "").matchAll(HELD)].some(([, major = "", minor = "", inode]) =>
    files.some(
      ({ ino, dev }) =>
        ino === Number(inode) &&
        // Layered file systems have a number of their own (major 0) that no process is told.
        (major === "00" ||
          (majorOf(dev) === Number.parseInt(major, 16) && minorOf(dev) === Number.parseInt(minor, 16))),
    ),
  );
}
