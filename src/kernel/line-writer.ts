import type { LogLevel } from "./log.ts";

/** Collects the lines of a log and hands them on together. */
export interface LineWriter {
  write(line: string, level: LogLevel): void;
  /** Hands on what waits; to be called when the process ends. */
  flush(): void;
}

/**
 * Lines go to `print` as one text, when `later` says so (at the end of the turn by default): a write for each would cost more
 * than making them.
 * Warnings and errors, with all before them, go at once, so that the last words of a dying process are not lost.
 */
export function createLineWriter(
  print: (text: string) => void,
  later: (run: () => void) => void = setImmediate,
): LineWriter {
  let waiting: string[] = [];

  function flush(): void {
    if (waiting.length === 0) return;
    const text = waiting.join("\n");
    waiting = [];
    print(text);
  }

  return {
    flush,
    write(line, level) {
      waiting.push(line);
      if (level === "warn" || level === "error") return flush();
      if (waiting.length === 1) later(flush);
    },
  };
}
