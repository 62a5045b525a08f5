import { createLog, type Log, type LogLevel } from "../../src/kernel/log.ts";
import { createFakeClock } from "./fake-clock.ts";

/** One written line, parsed. */
export type LogLine = { time: string; level: LogLevel; msg: string } & Record<string, unknown>;

/** A real log that keeps its lines instead of printing them. */
export function createTestLog(level: LogLevel = "debug"): { log: Log; lines: LogLine[]; text(): string } {
  const written: string[] = [];
  const lines: LogLine[] = [];
  const log = createLog(createFakeClock(), level, (line) => {
    written.push(line);
    lines.push(JSON.parse(line));
  });
  return { log, lines, text: () => written.join("\n") };
}
