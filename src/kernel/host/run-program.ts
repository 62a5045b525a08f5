import { systemClock } from "../../lib/clock.ts";
import { seconds } from "../../lib/duration.ts";

/** How a program ended, and what it printed. */
export interface ProgramEnd {
  /** Its exit code. */
  code: number;
  /** The signal that ended it, SIGKILL where it took too long; null when it ended by itself. */
  signal: string | null;
  stdout: string;
  stderr: string;
  /** Streams of which only the beginning is here. */
  cut: readonly ("stdout" | "stderr")[];
}

export interface ProgramOptions {
  /** It is killed after so long; left out, never. */
  timeoutMs?: number;
  /** Kills it. */
  signal?: AbortSignal;
  /** Bytes of each stream that are kept; left out, 16 MiB. What comes after them is read and thrown away. */
  maxBytes?: number;
  /** Folder that it runs in. */
  cwd?: string;
  /** Its whole environment besides where programs are found; left out, it has ours. */
  env?: Readonly<Record<string, string>>;
  /** Told each line of both streams as it comes, without its end; what makes a line too long, and empty ones, are left out. */
  onLine?(line: string): void;
  /** What is to end is asked to (SIGTERM), and killed only when it is still there after so long; left out, killed at once. */
  graceMs?: number;
}

/** Runs an argv list without input and waits for its end. */
export type RunProgram = (argv: readonly string[], options?: ProgramOptions) => Promise<ProgramEnd>;

const MAX_BYTES = 16 * 1_048_576;
/** Characters of a line that are told. */
const LONGEST_LINE = 4_096;
/** What a program left running may still write; its output stays open for as long as that lives. */
const LEFTOVER_MS = seconds(1);
/** Where administrators' programs are when our own path leaves them out. */
const ADMIN_FOLDERS = ["/usr/local/sbin", "/usr/sbin", "/sbin"].join(":");

const whichProgram = (name: string): string | null => Bun.which(name) ?? Bun.which(name, { PATH: ADMIN_FOLDERS });

/** Where a program of the host is; its bare name where nobody knows. */
export function findProgram(name: string): string {
  return name.includes("/") ? name : (whichProgram(name) ?? name);
}

/** True where the host has a program of this name, or at this path. */
export const hasProgram = (name: string): boolean => whichProgram(name) !== null;

/** The only way to start a program of the host. Rejects where there is no such program. */
export const runProgram: RunProgram = async ([program = "", ...rest], options = {}) => {
  const { maxBytes = MAX_BYTES, cwd, env, onLine } = options;
  const child = Bun.spawn([findProgram(program), ...rest], {
    stdio: ["ignore", "pipe", "pipe"],
    ...(cwd === undefined ? {} : { cwd }),
    ...(env === undefined ? {} : { env: { PATH: process.env["PATH"] ?? ADMIN_FOLDERS, ...env } }),
  });
  const stopWatching = endInTime(child, options);
  const isRead = new AbortController();
  const over = child.exited.then(() => systemClock.sleep(LEFTOVER_MS, isRead.signal)).then(() => null);
  const [out, err] = await Promise.all([
    readBeginning(child.stdout, maxBytes, over, onLine),
    readBeginning(child.stderr, maxBytes, over, onLine),
  ]);
  isRead.abort();
  const code = await child.exited;
  stopWatching();
  return {
    code,
    signal: child.signalCode === null ? null : String(child.signalCode),
    stdout: out.text,
    stderr: err.text,
    cut: [...(out.isCut ? (["stdout"] as const) : []), ...(err.isCut ? (["stderr"] as const) : [])],
  };
};

/** Ends a program when its time is over or nobody wants it any more; returns what ends the watch. */
function endInTime(
  child: Bun.Subprocess<"ignore", "pipe", "pipe">,
  { timeoutMs, signal, graceMs }: ProgramOptions,
): () => void {
  let cancelKill = () => {};
  const end = () => {
    if (graceMs === undefined) return child.kill("SIGKILL");
    child.kill("SIGTERM");
    cancelKill();
    cancelKill = systemClock.after(graceMs, () => child.kill("SIGKILL"));
  };
  const cancelEnd = timeoutMs === undefined ? () => {} : systemClock.after(timeoutMs, end);
  if (signal?.aborted) end();
  signal?.addEventListener("abort", end);
  return () => {
    cancelEnd();
    cancelKill();
    signal?.removeEventListener("abort", end);
  };
}

/** A program that runs on while its output is read. */
export interface OpenProgram {
  /** Read as slowly as one likes: a full pipe makes the program wait. */
  output: AsyncIterable<Uint8Array>;
  /** The beginning of what it complained of, once it has ended. */
  ended: Promise<{ code: number; stderr: string }>;
}

/** Starts a program whose output has no end of its own; `signal` kills it. Throws where there is no such program. */
export type OpenRunning = (argv: readonly string[], signal: AbortSignal) => OpenProgram;

const COMPLAINT_BYTES = 16_384;

export const openProgram: OpenRunning = ([program = "", ...rest], signal) => {
  const child = Bun.spawn([findProgram(program), ...rest], {
    stdio: ["ignore", "pipe", "pipe"],
    killSignal: "SIGKILL",
    signal,
  });
  const over = child.exited.then(() => systemClock.sleep(LEFTOVER_MS)).then(() => null);
  const complaint = readBeginning(child.stderr, COMPLAINT_BYTES, over, undefined);
  const ended = Promise.all([child.exited, complaint]).then(([code, { text }]) => ({ code, stderr: text }));
  return { output: child.stdout, ended };
};

/** `runProgram`, where a program that is not there is an end like others: code 127, with the reason as `stderr`. */
export const tryProgram: RunProgram = async (argv, options) => {
  try {
    return await runProgram(argv, options);
  } catch (error) {
    const stderr = error instanceof Error ? error.message : String(error);
    return { code: 127, signal: null, stdout: "", stderr, cut: [] };
  }
};

/**
 * The beginning of a stream, until it ends or `over`; the rest is read and thrown away, or the program would wait for its
 * reader. Lines are told to the end.
 */
async function readBeginning(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
  over: Promise<null>,
  onLine?: ProgramOptions["onLine"],
): Promise<{ text: string; isCut: boolean }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const lines = onLine === undefined ? null : cutLines(onLine);
  const reader = stream.getReader();
  for (let next = await Promise.race([reader.read(), over]); next?.value; ) {
    if (size < maxBytes) chunks.push(next.value.subarray(0, maxBytes - size));
    size += next.value.length;
    lines?.add(next.value);
    next = await Promise.race([reader.read(), over]);
  }
  lines?.end();
  await reader.cancel().catch(() => {});
  return { text: new TextDecoder().decode(Buffer.concat(chunks)), isCut: size > maxBytes };
}

/** Cuts bytes into lines of a bounded length; what a carriage return writes over (progress) is none. */
function cutLines(onLine: (line: string) => void): { add(bytes: Uint8Array): void; end(): void } {
  const decoder = new TextDecoder();
  let rest = "";
  const standing = (line: string) => line.slice(line.lastIndexOf("\r", line.length - 2) + 1).slice(0, LONGEST_LINE);
  const tell = (line: string) => {
    const told = standing(line).trimEnd();
    if (told !== "") onLine(told);
  };
  return {
    add(bytes) {
      const parts = (rest + decoder.decode(bytes, { stream: true })).split("\n");
      rest = standing(parts.pop() ?? "");
      for (const line of parts) tell(line);
    },
    end: () => tell(rest),
  };
}
