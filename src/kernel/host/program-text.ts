import { dlopen, FFIType } from "bun:ffi";
import { readFileSync } from "node:fs";

/** `MADV_DONTNEED` of madvise(2): forget these pages; whoever needs one reads it from the file anew. */
const DO_NOT_NEED = 4;

/** Where pages of code and constants stand in memory, as numbers of bytes. */
export interface TextRange {
  start: number;
  bytes: number;
}

/** The head of a mapping: its place, its rights and its file. */
const HEAD = /^([0-9a-f]+)-([0-9a-f]+) (\S{4}) \S+ \S+ \d+ *(\S.*)?$/;
/** Rights of a program's code, and of its constants: nobody writes to them. */
const AS_IN_FILE = /^r-[x-]p$/;

/**
 * The ranges of a `/proc/PID/smaps` that hold code or constants exactly as they stand in the file of the program or of a library:
 * readable, never written to, and without a page that somebody, such as a debugger, has changed.
 */
export function findProgramText(smaps: string): TextRange[] {
  const ranges: TextRange[] = [];
  let current: TextRange | null = null;
  for (const line of smaps.split("\n")) {
    const [, start, end, rights, path] = HEAD.exec(line) ?? [];
    if (start !== undefined && end !== undefined && rights !== undefined) {
      const from = Number.parseInt(start, 16);
      const isText = AS_IN_FILE.test(rights) && path?.startsWith("/");
      current = isText ? { start: from, bytes: Number.parseInt(end, 16) - from } : null;
    } else if (current && /^Anonymous: +0 kB$/.test(line)) ranges.push(current);
  }
  return ranges;
}

/**
 * Lets go of the pages of this program's own code and constants, most of which only its start has use for. They stay in the kernel's cache of files,
 * from where it can take them when somebody else needs memory, and from where those come back that are needed still. Linux only.
 */
export function forgetProgramText(): void {
  const ranges = findProgramText(readFileSync("/proc/self/smaps", "utf8"));
  const libc = dlopen("libc.so.6", {
    madvise: { args: [FFIType.u64, FFIType.u64, FFIType.i32], returns: FFIType.i32 },
  });
  for (const { start, bytes } of ranges) libc.symbols.madvise(BigInt(start), BigInt(bytes), DO_NOT_NEED);
  libc.close();
}
