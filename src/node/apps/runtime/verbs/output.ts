import { demux } from "../demux.ts";
import type { Wire } from "../engine-wire.ts";

/** One line that a container wrote. */
export interface OutputLine {
  /** As Docker recorded it: ISO 8601 with nanoseconds. */
  at: string;
  stream: "stdout" | "stderr";
  text: string;
}

export interface LogOptions {
  /** Last lines to begin with. */
  tail: number | "all";
  follow: boolean;
  /** Seconds since 1970 with nanoseconds after the point; older lines are left out. */
  since?: string;
  signal: AbortSignal;
}

export interface ExecResult {
  exit_code: number;
  /** Both streams, at most 64 KiB. */
  output: string;
}

/** What a command inside a container writes, as it comes. */
export interface ExecStream {
  /** Standard output; what is not read waits inside the container. */
  bytes: AsyncIterable<Uint8Array>;
  /** How it ended, once all was read, and the end of what it wrote to standard error. */
  end(): Promise<ExecResult>;
}

const OUTPUT_LIMIT = 65_536;
const ERROR_TAIL = 2_000;

/** Takes `2026-…Z text` apart. */
function parseLine(stream: OutputLine["stream"], line: string): OutputLine {
  const space = line.indexOf(" ");
  return space === -1
    ? { at: line, stream, text: "" }
    : { at: line.slice(0, space), stream, text: line.slice(space + 1).replace(/\r$/, "") };
}

/** `2026-01-01T00:00:00.000000001Z `, which the engine puts before each of its log entries. */
const STAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z /;
const STAMP_BYTES = 31;
/** The engine cuts longer lines into entries of this size. */
const ENTRY_BYTES = 16_384;
/** What a line may have for a reader; the rest of it is left out. */
const LINE_LIMIT = 262_144;

const hasStamp = (bytes: Uint8Array): boolean => STAMP.test(String.fromCharCode(...bytes.subarray(0, STAMP_BYTES)));

/** A line of a terminal without the stamps of its later entries: there each begins where the one before is full. */
function joinEntries(line: string): string {
  if (line.length < ENTRY_BYTES) return line;
  const [first = "", ...more] = line.split(/(?=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z )/);
  let joined = first;
  let size = Buffer.byteLength(first) - STAMP_BYTES;
  for (const part of more) {
    const isEntry = size >= ENTRY_BYTES;
    joined += isEntry ? part.slice(STAMP_BYTES) : part;
    size = Buffer.byteLength(part) + (isEntry ? -STAMP_BYTES : size);
  }
  return joined;
}

/**
 * Turns Docker's stream with timestamps into lines, each stream on its own. What the engine had cut into several entries is one
 * line again, with the time of its first entry.
 */
export async function* readOutput(source: AsyncIterable<Uint8Array>): AsyncIterable<OutputLine> {
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  const rests = { stdout: "", stderr: "" };
  for await (const { stream, bytes, isFrame } of demux(source)) {
    const isMore = isFrame && rests[stream] !== "" && hasStamp(bytes);
    const text = decoders[stream].decode(isMore ? bytes.subarray(STAMP_BYTES) : bytes, { stream: true });
    const parts = (rests[stream] + text).split("\n");
    rests[stream] = (parts.pop() ?? "").slice(0, LINE_LIMIT);
    for (const part of parts) yield parseLine(stream, isFrame ? part : joinEntries(part));
  }
  for (const stream of ["stdout", "stderr"] as const) {
    if (rests[stream] !== "") yield parseLine(stream, joinEntries(rests[stream]));
  }
}

/** Verbs about what containers say and what is run inside them. */
export function outputVerbs(wire: Wire) {
  return {
    /** Lines of a container, oldest first; with `follow` until it ends or `signal` aborts. */
    async readLogs(id: string, { tail, follow, since, signal }: LogOptions): Promise<AsyncIterable<OutputLine>> {
      const query = { stdout: true, stderr: true, timestamps: true, tail, follow, since };
      return readOutput(await wire.open("GET", `/containers/${encodeURIComponent(id)}/logs`, { query, signal }));
    },

    /** Runs argv inside a running container and waits for its end. Throws EngineError after `timeoutMs`. */
    async execInside(
      id: string,
      argv: readonly string[],
      timeoutMs: number,
      user: string | null = null,
    ): Promise<ExecResult> {
      const body = { AttachStdout: true, AttachStderr: true, Cmd: argv, ...(user === null ? {} : { User: user }) };
      const { Id } = await wire.call<{ Id: string }>("POST", `/containers/${encodeURIComponent(id)}/exec`, { body });
      const stream = await wire.open("POST", `/exec/${Id}/start`, { body: { Detach: false, Tty: false }, timeoutMs });
      const decoder = new TextDecoder();
      let output = "";
      for await (const { bytes } of demux(stream)) {
        if (output.length < OUTPUT_LIMIT) output += decoder.decode(bytes, { stream: true });
      }
      const { ExitCode } = await wire.call<{ ExitCode: number | null }>("GET", `/exec/${Id}/json`);
      return { exit_code: ExitCode ?? -1, output: output.slice(0, OUTPUT_LIMIT) };
    },

    /** Runs argv inside a running container and hands on what it writes, however much that is. Throws EngineError. */
    async openExec(
      id: string,
      argv: readonly string[],
      signal: AbortSignal,
      environment: readonly string[] = [],
    ): Promise<ExecStream> {
      const body = { AttachStdout: true, AttachStderr: true, Cmd: argv, Env: environment };
      const { Id } = await wire.call<{ Id: string }>("POST", `/containers/${encodeURIComponent(id)}/exec`, { body });
      const stream = await wire.open("POST", `/exec/${Id}/start`, { body: { Detach: false, Tty: false }, signal });
      const decoder = new TextDecoder();
      let said = "";
      async function* read(): AsyncGenerator<Uint8Array> {
        for await (const piece of demux(stream)) {
          if (piece.stream === "stdout") yield piece.bytes;
          else said = (said + decoder.decode(piece.bytes, { stream: true })).slice(-ERROR_TAIL);
        }
      }
      return {
        bytes: read(),
        async end() {
          const { ExitCode } = await wire.call<{ ExitCode: number | null }>("GET", `/exec/${Id}/json`);
          return { exit_code: ExitCode ?? -1, output: said.trim() };
        },
      };
    },
  };
}
