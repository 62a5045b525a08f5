import { readdirSync, readFileSync } from "node:fs";

/** Adds up the processor time of a process. */
export interface CpuMeter {
  /** Milliseconds since the meter was made. */
  read(): number;
  /** The part of it that the runtime's compiler took: it ends once the code in use has been compiled. */
  readCompiling(): number;
  stop(): void;
}

const LOOK_MS = 100;
const COMPILER = "JITWorker";

/**
 * A meter of process `pid`, exact to the nanosecond. `/proc/PID/stat` counts in steps of 10 ms, and the exact figures of a
 * thread vanish with it; so all threads are looked at often, and only what a thread did in its last tenth of a second
 * is missed.
 */
export function meterCpu(pid: number): CpuMeter {
  const seen = new Map<string, number>();
  const compilers = new Map<string, boolean>();
  let sum = 0;
  let compiling = 0;

  function look(): void {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const now = threadNanoseconds(pid, thread);
      // A smaller number is that of a new thread under an old one's id.
      const before = seen.get(thread) ?? 0;
      const spent = now < before ? now : now - before;
      sum += spent;
      if (!compilers.has(thread)) compilers.set(thread, threadName(pid, thread).startsWith(COMPILER));
      if (compilers.get(thread)) compiling += spent;
      seen.set(thread, now);
    }
  }

  look();
  sum = 0;
  compiling = 0;
  const timer = setInterval(look, LOOK_MS);
  return {
    read() {
      look();
      return sum / 1e6;
    },
    readCompiling: () => compiling / 1e6,
    stop: () => clearInterval(timer),
  };
}

/** Processor time of a young process so far in milliseconds: none of its threads has ended yet. */
export function cpuSinceStartMs(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.reduce((sum, thread) => sum + threadNanoseconds(pid, thread), 0) / 1e6;
}

function threadNanoseconds(pid: number, thread: string): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]);
  } catch {
    // It ended between the listing and the reading.
    return 0;
  }
}

/** How long the main thread of a process has stood in line for a processor so far, in milliseconds. */
export function waitedMs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ")[1]) / 1e6;
}

function threadName(pid: number, thread: string): string {
  try {
    return readFileSync(`/proc/${pid}/task/${thread}/comm`, "utf8");
  } catch {
    return "";
  }
}

/** What a process holds in memory, in megabytes (10^6): all of it (`VmRSS`), and without what is only the file's. */
export function memoryMb(pid: number): { rss: number; anonymous: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const field = (name: string): number => (Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) * 1024) / 1e6;
  return { rss: field("VmRSS"), anonymous: field("RssAnon") };
}

/** Connections to a port of this host that are open on its side. */
export function countConnections(port: number): number {
  const local = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  return readFileSync("/proc/net/tcp", "latin1")
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, address = "", , state]) => address.endsWith(local) && state === "01").length;
}

/** Milliseconds of processor time, over all of them, that the host of this machine gave to others since it started. */
export function stolenMs(): number {
  const [total = ""] = readFileSync("/proc/stat", "utf8").split("\n");
  const TICKS_OF_10_MS = 8;
  return Number(total.split(/\s+/)[TICKS_OF_10_MS] ?? 0) * 10;
}
