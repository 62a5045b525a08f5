import { join } from "node:path";
import { readText } from "./proc-file.ts";

/** The kernel tells times of processes in hundredths of a second on every machine that we run on. */
const TICKS_PER_S = 100;

/** Seconds after boot at which a process began, out of the text of /proc/PID/stat, with its name; null for another text. */
export function parseProcessStat(text: string): { name: string; startedS: number } | null {
  const match = /^\d+ \((.*)\) (.*)$/s.exec(text.trim());
  // After the name, which may hold anything, the start is the twentieth field.
  const ticks = Number(match?.[2]?.split(" ")[19]);
  return match?.[1] === undefined || !Number.isFinite(ticks) ? null : { name: match[1], startedS: ticks / TICKS_PER_S };
}

/**
 * When the program began whose process id stands in a file of the host, in epoch ms by the present clock. Null when there is no
 * such file, when that process is another program, or where other processes are not seen.
 */
export function readProcessStart(root: string, pidFile: string, program: string, now: number): number | null {
  const pid = readText(join(root, pidFile))?.trim() ?? "";
  if (!/^\d+$/.test(pid)) return null;
  const found = parseProcessStat(readText(join(root, "proc", pid, "stat")) ?? "");
  const uptimeS = Number.parseFloat(readText(join(root, "proc/uptime")) ?? "");
  if (found?.name !== program || !Number.isFinite(uptimeS)) return null;
  return now - (uptimeS - found.startedS) * 1000;
}
