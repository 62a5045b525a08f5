import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { ROOT } from "./env.ts";

/** The compiled program under test; `npm run build` makes it. */
export const NODE_BINARY = process.env["ORRERY_TEST_BINARY"] ?? join(ROOT, "dist/orrery-node");

export const PANEL_BINARY = join(ROOT, "dist/orrery-panel");

export interface StartOptions {
  /** Default is the node. */
  binary?: string;
  /** Kept when given, otherwise a new folder that goes away with `dispose`. */
  dataDir?: string;
  /** Besides PATH and HOME nothing of this process' environment is passed on. */
  env?: Record<string, string>;
  /** Default `127.0.0.1:0`. */
  listen?: string;
}

/** A running node in a process of its own. */
export interface NodeProcess {
  url: string;
  pid: number;
  dataDir: string;
  /** Parsed JSON lines of its log so far. */
  log: Record<string, unknown>[];
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number>;
  /** SIGKILL, as a power cut would end it. */
  kill(): Promise<void>;
  /** Stops it and removes the data folder. */
  dispose(): Promise<void>;
}

/** Starts the compiled node, or the program in `binary`, and resolves when it says that it listens (at most 25 s). */
export async function startNode(options: StartOptions = {}): Promise<NodeProcess> {
  const binary = options.binary ?? NODE_BINARY;
  if (!existsSync(binary)) throw new Error(`${binary} is missing: npm run build`);
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), "orrery-e2e-"));
  const child = Bun.spawn([binary, "serve", "--data", dataDir, "--listen", options.listen ?? "127.0.0.1:0"], {
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: dataDir,
      ORRERY_ANONYMOUS_RATE: "10000",
      ORRERY_SESSION_RATE: "10000",
      CP_ANONYMOUS_RATE: "10000",
      CP_SESSION_RATE: "10000",
      ...options.env,
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const log: NodeProcess["log"] = [];
  const url = await readLog(child, log);
  const end = async (signal: NodeJS.Signals): Promise<number> => {
    child.kill(signal);
    return child.exited;
  };
  return {
    url,
    pid: child.pid,
    dataDir,
    log,
    stop: () => end("SIGTERM"),
    kill: async () => void (await end("SIGKILL")),
    async dispose() {
      await end("SIGTERM");
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Collects the log for good and resolves with the URL of the `listening` line. */
function readLog(child: Subprocess<"ignore", "pipe", "pipe">, log: Record<string, unknown>[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const errors: string[] = [];
    const fail = (reason: string) => {
      const tail = [...log.slice(-10).map((line) => JSON.stringify(line)), ...errors].join("\n");
      reject(new Error(`orrery-node ${reason}\n${tail}`));
    };
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      fail("did not listen within 25 s");
    }, 25_000);
    void eachLine(child.stderr, (line) => void errors.push(line));
    void eachLine(child.stdout, (line) => {
      const entry = parseLine(line);
      log.push(entry);
      if (entry["msg"] !== "listening" || typeof entry["url"] !== "string") return;
      clearTimeout(timer);
      resolve(entry["url"]);
    });
    void child.exited.then((code) => {
      clearTimeout(timer);
      fail(`ended with ${code}`);
    });
  });
}

function parseLine(line: string): Record<string, unknown> {
  try {
    return JSON.parse(line);
  } catch {
    return { msg: line };
  }
}

/** Calls `use` for every whole line of a stream until it ends. */
export async function eachLine(stream: ReadableStream<Uint8Array>, use: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) use(line);
  }
  if (rest !== "") use(rest);
}
