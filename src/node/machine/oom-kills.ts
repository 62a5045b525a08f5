import { join } from "node:path";
import { readText } from "./proc-file.ts";

/** Processes that the kernel killed for want of memory since it started, out of the text of /proc/vmstat. */
export function parseOomKills(text: string): number {
  return Number(/^oom_kill (\d+)$/m.exec(text)?.[1] ?? "0");
}

/** The same of the host below `root`; 0 where the kernel does not count. */
export const readOomKills = (root: string): number => parseOomKills(readText(join(root, "proc/vmstat")) ?? "");
