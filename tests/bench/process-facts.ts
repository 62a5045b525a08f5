import { readdirSync, readFileSync } from "node:fs";

/** Processor time of a process so far in milliseconds, exact to the nanosecond: the sum over its living threads. */
export function cpuMs(pid: number): number {
  let nanoseconds = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]);
  }
  return nanoseconds / 1e6;
}

/** Processor time so far in milliseconds with that of ended threads, in steps of 10 ms. */
export function coarseCpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** What a process holds in memory, in megabytes (10^6): all of it (`VmRSS`), and without what is only the file's. */
export function memoryMb(pid: number): { rss: number; anonymous: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const field = (name: string): number => (Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) * 1024) / 1e6;
  return { rss: field("VmRSS"), anonymous: field("RssAnon") };
}
