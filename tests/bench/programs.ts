import { existsSync, mkdirSync, openSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { eachLine } from "../kit/binary.ts";
import { ROOT } from "../kit/env.ts";
import { until } from "../kit/until.ts";
import { cpuSinceStartMs } from "./process-facts.ts";

/** A program that listens. */
export interface Running {
  url: string;
  pid: number;
  /** Milliseconds from its start to the first answer to `probe`. */
  firstAnswerMs: number;
  /** Processor time that it took until then, in milliseconds. */
  firstAnswerCpuMs: number;
  /** Parsed lines of its log so far. */
  log(): Record<string, unknown>[];
  /** SIGTERM, and waits for the end. */
  stop(): Promise<void>;
  /** SIGKILL, and waits for the end. */
  kill(): Promise<void>;
}

interface StartOptions {
  /** Asked as soon as the program says that it listens; anything but 200 is an error. */
  probe: string;
  headers?: Record<string, string>;
  env?: Record<string, string>;
}

const work = join(ROOT, ".test-env", "bench");
const node = join(ROOT, "dist/orrery-node");
/** The compiled panel. */
export const PANEL = join(ROOT, "dist/orrery-panel");
const bare = join(work, "bare-server");

/** Builds the baseline by the recipe of the real binary unless it is there already. */
export async function buildBare(): Promise<void> {
  const source = join(import.meta.dir, "bare-server.ts");
  if (existsSync(bare) && statSync(bare).mtimeMs > statSync(source).mtimeMs) return;
  mkdirSync(work, { recursive: true });
  const result = await Bun.build({
    entrypoints: [source],
    target: "bun",
    format: "esm",
    bytecode: true,
    compile: { outfile: bare, autoloadDotenv: false, autoloadBunfig: false },
  });
  if (!result.success) throw new AggregateError(result.logs, "the baseline could not be built");
}

/** Builds the real binary when it is older than its sources. */
export const buildNode = (): Promise<void> => build("orrery-node");
export const buildPanel = (): Promise<void> => build("orrery-panel");

async function build(program: string): Promise<void> {
  const script = `import { ensureBuilt } from './src/build/toolchain.mjs'; process.exitCode = await ensureBuilt('${program}');`;
  const child = Bun.spawn(["node", "--input-type=module", "-e", script], {
    cwd: ROOT,
    stdout: "inherit",
    stderr: "inherit",
  });
  if ((await child.exited) !== 0) throw new Error("npm run build failed");
}

/** A node on a data folder; its log goes to a file, as it would to the journal, so that nobody here has to read along. */
export function startNode(dataDir: string, options: StartOptions): Promise<Running> {
  return start([node, "serve", "--data", dataDir, "--listen", "127.0.0.1:0"], {
    ...options,
    env: { ORRERY_SESSION_RATE: "100000000", ORRERY_ANONYMOUS_RATE: "100000000", ...options.env },
  });
}

/** A panel on a data folder, both ports on loopback. */
export function startPanel(dataDir: string, env: Record<string, string> = {}): Promise<Running> {
  return start([PANEL, "serve", "--data", dataDir, "--listen", "127.0.0.1:0"], {
    probe: "/api/health",
    env: { CP_AGENT_LISTEN: "127.0.0.1:0", ...env },
  });
}

/** The baseline, answering with the bytes of `file`. */
export function startBare(file: string, type?: string): Promise<Running> {
  return start([bare, file, ...(type === undefined ? [] : [type])], { probe: "/" });
}

let count = 0;

async function start(argv: string[], { probe, headers = {}, env = {} }: StartOptions): Promise<Running> {
  mkdirSync(work, { recursive: true });
  count += 1;
  const logFile = join(work, `run-${count}.log`);
  const begin = performance.now();
  const child = Bun.spawn(argv, {
    env: { PATH: process.env["PATH"] ?? "", HOME: work, ...env },
    stdin: "ignore",
    stdout: openSync(logFile, "w"),
    stderr: "pipe",
  });
  const complaints: string[] = [];
  void eachLine(child.stderr, (line) => void complaints.push(line));
  const log = () =>
    readFileSync(logFile, "utf8")
      .split("\n")
      .filter((line) => line.startsWith("{") && line.endsWith("}"))
      .map((line): Record<string, unknown> => JSON.parse(line));
  async function end(signal: NodeJS.Signals): Promise<void> {
    child.kill(signal);
    await child.exited;
    rmSync(logFile, { force: true });
  }
  const url = await until(
    () => {
      if (child.exitCode !== null) throw new Error(`${argv[0]} ended with ${child.exitCode}: ${complaints.join("\n")}`);
      return String(log().find((line) => line["msg"] === "listening")?.["url"] ?? "") || null;
    },
    { everyMs: 1, what: `${argv[0]} to listen; ${complaints.join("\n")}` },
  );
  const response = await fetch(url + probe, { headers });
  const body = await response.arrayBuffer();
  const firstAnswerMs = performance.now() - begin;
  const firstAnswerCpuMs = cpuSinceStartMs(child.pid);
  if (response.status !== 200)
    throw new Error(`${probe} answered ${response.status}: ${new TextDecoder().decode(body)}`);
  return {
    url,
    pid: child.pid,
    firstAnswerMs,
    firstAnswerCpuMs,
    log,
    stop: () => end("SIGTERM"),
    kill: () => end("SIGKILL"),
  };
}

/** Waits until the node follows the events of Docker and has looked at everything it knows. */
export async function dockerAttached(running: Running): Promise<void> {
  await until(() => running.log().some((line) => line["msg"] === "container runtime" && line["state"] === "ok"), {
    what: "the node to reach Docker (dockerd must run: tests/setup.sh starts it)",
  });
}
