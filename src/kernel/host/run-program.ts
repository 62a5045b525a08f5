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
}

/** Runs an argv list without input and waits for its end. */
export type RunProgram = (argv: readonly string[], options?: ProgramOptions) => Promise<ProgramEnd>;

const MAX_BYTES = 16 * 1_048_576;
/** What a program left running may still write; its output stays open for as long as that lives. */
const LEFTOVER_MS = seconds(1);
/** Where administrators' programs are when our own path leaves them out. */
const ADMIN_FOLDERS = ["/usr/local/sbin", "/usr/sbin", "/sbin"].join(":");

const whichProgram = (name: string): string | null => Bun.which(name) ?? Bun.which(name, { PATH: ADMIN_FOLDERS });

function findProgram(name: string): string {
  return name.includes("/") ? name : (whichProgram(name) ?? name);
}

/** True where the host has a program of this name, or at this path. */
export const hasProgram = (name: string): boolean => whichProgram(name) !== null;

/** The only way to start a program of the host. Rejects where there is no such program. */
export const runProgram: RunProgram = async ([program = "", ...rest], options = {}) => {
  const { timeoutMs, signal, maxBytes = MAX_BYTES, cwd } = options;
  const child = Bun.spawn([findProgram(program), ...rest], {
    stdio: ["ignore", "pipe", "pipe"],
    killSignal: "SIGKILL",
    ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
    ...(signal === undefined ? {} : { signal }),
    ...(cwd === undefined ? {} : { cwd }),
  });
  const isRead = new AbortController();
  const over = child.exited.then(() => systemClock.sleep(LEFTOVER_MS, isRead.signal)).then(() => null);
  const [out, err] = await Promise.all([
    readBeginning(child.stdout, maxBytes, over),
    readBeginning(child.stderr, maxBytes, over),
  ]);
  isRead.abort();
  return {
    code: await child.exited,
    signal: child.signalCode === null ? null : String(child.signalCode),
    stdout: out.text,
    stderr: err.text,
    cut: [...(out.isCut ? (["stdout"] as const) : []), ...(err.isCut ? (["stderr"] as const) : [])],
  };
};

/** The same, where a program that is not there is an end like others: code 127, with the reason as `stderr`. */
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
 * reader.
 */
async function readBeginning(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
  over: Promise<null>,
): Promise<{ text: string; isCut: boolean }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = stream.getReader();
  for (let next = await Promise.race([reader.read(), over]); next?.value; ) {
    if (size < maxBytes) chunks.push(next.value.subarray(0, maxBytes - size));
    size += next.value.length;
    next = await Promise.race([reader.read(), over]);
  }
  await reader.cancel().catch(() => {});
  return { text: new TextDecoder().decode(Buffer.concat(chunks)), isCut: size > maxBytes };
}
