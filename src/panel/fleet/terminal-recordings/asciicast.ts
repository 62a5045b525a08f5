/** asciicast v2, line by line: a header, then events at seconds since the beginning. Keystrokes are never among them. */

/** What is merged into one event: so much time, or so many characters. */
const MERGED_MS = 50;
const MERGED_MAX = 16_384;

interface Header {
  columns: number;
  rows: number;
  /** Milliseconds. */
  startedAt: number;
  title: string;
}

/** Writes what a terminal shows as lines of text; `at` is milliseconds since the beginning. */
export interface CastWriter {
  output(bytes: Uint8Array, at: number): void;
  resize(columns: number, rows: number, at: number): void;
  /** The lines that are complete. */
  take(): string;
  /** All that is left. */
  end(): string;
  /** Characters that wait to be taken. */
  readonly waiting: number;
}

const seconds = (ms: number): number => Math.round(ms * 1000) / 1_000_000;

/** Begins a recording. A character whose bytes come in two pieces stays one. */
export function createCastWriter({ columns, rows, startedAt, title }: Header): CastWriter {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const header = { version: 2, width: columns, height: rows, timestamp: Math.floor(startedAt / 1000), title };
  let lines = `${JSON.stringify({ ...header, env: { TERM: "xterm-256color" } })}\n`;
  let merged = "";
  let since = 0;
  const add = (at: number, kind: "o" | "r", data: string): void => {
    lines += `${JSON.stringify([seconds(at), kind, data])}\n`;
  };
  const flush = (): void => {
    if (merged !== "") add(since, "o", merged);
    merged = "";
  };
  const show = (text: string, at: number): void => {
    if (text === "") return;
    if (merged !== "" && (at - since > MERGED_MS || merged.length + text.length > MERGED_MAX)) flush();
    if (merged === "") since = at;
    merged += text;
  };
  return {
    output: (bytes, at) => show(decoder.decode(bytes, { stream: true }), at),
    resize(newColumns, newRows, at) {
      flush();
      add(at, "r", `${newColumns}x${newRows}`);
    },
    take() {
      flush();
      const taken = lines;
      lines = "";
      return taken;
    },
    end() {
      show(decoder.decode(), since);
      flush();
      const taken = lines;
      lines = "";
      return taken;
    },
    get waiting() {
      return lines.length + merged.length;
    },
  };
}
