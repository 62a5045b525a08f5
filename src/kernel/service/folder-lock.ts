import { dlopen, FFIType } from "bun:ffi";
import { openSync } from "node:fs";
import { join } from "node:path";

const LOCK_EXCLUSIVE = 2;
const LOCK_NO_WAIT = 4;

/**
 * Claims a folder for this process until it ends, however it ends: the kernel gives the lock back. Throws when another
 * process has it: two programs over the same data would undo each other's work.
 */
export function lockFolder(folder: string): void {
  const libc = dlopen("libc.so.6", { flock: { args: [FFIType.i32, FFIType.i32], returns: FFIType.i32 } });
  const fd = openSync(join(folder, "lock"), "a", 0o600);
  const isFree = libc.symbols.flock(fd, LOCK_EXCLUSIVE | LOCK_NO_WAIT) === 0;
  libc.close();
  if (!isFree) throw new Error(`another process is using ${folder}`);
}
