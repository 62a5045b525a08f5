import { dlopen, FFIType } from "bun:ffi";
import { readFileSync } from "node:fs";

/** `MADV_DONTNEED` of madvise(2): forget these pages; whoever needs one reads it from the file anew. */
const DO_NOT_NEED = 4;

/** Where pages of a program's own code stand in memory, as numbers of bytes. */
export interface TextRange {
  start: number;
  bytes: number;
}

const HEAD = /^([0-9a-f]+)-([0-9a-f]+) (\S{4}) \S+ \S+ \d+ +(\S.*)$/;

/**
 * The ranges of a `/proc/PID/smaps` that hold code of `program` exactly as it stands in its file: readable, never written to, and
 * without a page that somebody, such as a debugger, has changed.
 */
export function findProgramText(smaps: string, program: string): TextRange[] {
  const ranges: TextRange[] = [];
  let current: TextRange | null = null;
  for (const line of smaps.split("\n")) {
    const [, start, end, rights, path] = HEAD.exec(line) ?? [];
    if (start !== undefined && end !== undefined) {
      const from = Number.parseInt(start, 16);
      current = rights === "r-xp" && path === program ? { start: from, bytes: Number.parseInt(end, 16) - from } : null;
    } else if (current && /^Anonymous: +0 kB$/.test(line)) ranges.push(current);
  }
  return ranges;
}

/**
 * Lets go of the pages of this program's own code, most of which only its start has use for. They stay in the kernel's cache of files,
 * from where it can take them when somebody else needs memory, and from where those come back that are needed still. Linux only.
 */
export function forgetProgramText(): void {
  const ranges = findProgramText(readFileSync("/proc/self/smaps", "utf8"), process.execPath);
  const libc = dlopen("libc.so.6", {
    madvise: { args: [FFIType.u64, FFIType.u64, FFIType.i32], returns: FFIType.i32 },
  });
  for (const { start, bytes } of ranges) libc.symbols.madvise(BigInt(start), BigInt(bytes), DO_NOT_NEED);
  libc.close();
}
