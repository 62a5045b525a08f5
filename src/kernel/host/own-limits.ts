import { dlopen, FFIType, ptr } from "bun:ffi";
import { readFileSync, writeFileSync } from "node:fs";

/** Limits of a process by their numbers. */
const PROCESSOR = 0;
const DATA = 2;
const CORE = 4;

const FIRST_TO_GO = "1000";

function openLibrary() {
  const { ptr: pointer, i32 } = FFIType;
  return dlopen("libc.so.6", {
    getrlimit: { args: [i32, pointer], returns: i32 },
    setrlimit: { args: [i32, pointer], returns: i32 },
  });
}

let library: ReturnType<typeof openLibrary> | null = null;

/** Soft limit, and hard where that is to change. Throws where the kernel refuses. */
function limit(kind: number, soft: number, hard?: number): void {
  library ??= openLibrary();
  const { getrlimit, setrlimit } = library.symbols;
  const pair = new BigUint64Array(2);
  if (getrlimit(kind, ptr(pair)) !== 0) throw new Error("the limits of this process cannot be read");
  const most = hard === undefined ? (pair[1] ?? 0n) : BigInt(hard);
  pair[0] = BigInt(soft) < most ? BigInt(soft) : most;
  pair[1] = most;
  if (setrlimit(kind, ptr(pair)) !== 0) throw new Error("the limits of this process cannot be set");
}

/**
 * Lets this process take so many bytes of memory besides what it has, for good: what asks for more is told that there is none. Where the
 * machine itself has too little, this process is the first that goes. Linux only.
 */
export function limitMemory(bytes: number): void {
  writeFileSync("/proc/self/oom_score_adj", FIRST_TO_GO);
  const [, kilobytes = ""] = /^VmData:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  const most = Number(kilobytes) * 1024 + bytes;
  limit(DATA, most, most);
  // What it had in its memory is left nowhere.
  limit(CORE, 0, 0);
}

/** Ends this process (SIGXCPU) when it has used a processor for so many seconds more. Linux only. */
export function limitProcessor(seconds: number): void {
  const { user, system } = process.cpuUsage();
  limit(PROCESSOR, Math.ceil((user + system) / 1e6 + seconds));
}
