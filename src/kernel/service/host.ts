import { hostname, networkInterfaces } from "node:os";
import { createHostFiles, type HostFiles } from "./host-files.ts";

/** How a command ended. A program that is not there gives 127, one that was stopped for taking too long 124. */
export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs one argv list without input and waits for it, at most `timeoutMs` (default 150 s). */
export type RunCommand = (argv: readonly string[], timeoutMs?: number) => Promise<CommandResult>;

/** One answered request, body parsed when it is JSON. */
export interface Answer {
  status: number;
  body: unknown;
}

/** How to ask: through a Unix socket instead of the network, and for how long (default 2 s). */
export interface RequestOptions {
  unix?: string;
  timeoutMs?: number;
}

/** The host that a program installs itself on: the only door to files, commands and sockets of the service chapter. */
export interface Host extends HostFiles {
  run: RunCommand;
  /** GET; null when nothing answers in time. */
  get(url: string, options?: RequestOptions): Promise<Answer | null>;
  /** DELETE; null when nothing answers in time. */
  delete(url: string, options?: RequestOptions): Promise<Answer | null>;
  /** True when this process could listen there. */
  isPortFree(hostname: string, port: number): boolean;
  /** Addresses by which other machines may reach this one: IPv4 first; bridges of container engines left out. */
  addresses(): string[];
  hostname(): string;
  isRoot(): boolean;
  /** The compiled program that is running; null in a checkout. */
  ownFile(): string | null;
}

const CONTAINER_BRIDGE = /^(docker|br-|veth|virbr|cni|flannel|podman)/;

const spawnCommand: RunCommand = async (argv, timeoutMs = 150_000) => {
  try {
    const child = Bun.spawn([...argv], {
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      timeout: timeoutMs,
      killSignal: "SIGKILL",
    });
    const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    return { code: child.signalCode === "SIGKILL" ? 124 : code, stdout, stderr };
  } catch (error) {
    return { code: 127, stdout: "", stderr: error instanceof Error ? error.message : String(error) };
  }
};

async function request(
  method: string,
  url: string,
  { unix, timeoutMs = 2000 }: RequestOptions,
): Promise<Answer | null> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    // Everything asked is on this host; the runtime would hand even loopback addresses to the proxy of the environment.
    const response = await fetch(url, { method, signal, proxy: false, ...(unix === undefined ? {} : { unix }) });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json") ?? false;
    return { status: response.status, body: isJson ? JSON.parse(text) : text };
  } catch {
    return null;
  }
}

function isPortFree(hostname: string, port: number): boolean {
  try {
    Bun.listen({ hostname, port, socket: { data() {} } }).stop(true);
    return true;
  } catch {
    return false;
  }
}

function addresses(): string[] {
  const found = Object.entries(networkInterfaces())
    .filter(([name]) => !CONTAINER_BRIDGE.test(name))
    .flatMap(([, items]) => items ?? [])
    .filter(({ internal, address }) => !internal && !address.startsWith("fe80:"));
  const of = (family: string) => found.filter((item) => item.family === family).map(({ address }) => address);
  return [...of("IPv4"), ...of("IPv6")];
}

/** The real host. Tests give another root folder and their own `run`, so that nothing outside is touched. */
export function createHost(overrides: { root?: string } & Partial<Host> = {}): Host {
  const { root = "/", ...rest } = overrides;
  return {
    ...createHostFiles(root),
    run: spawnCommand,
    get: (url, options = {}) => request("GET", url, options),
    delete: (url, options = {}) => request("DELETE", url, { timeoutMs: 60_000, ...options }),
    isPortFree,
    addresses,
    hostname: () => hostname(),
    isRoot: () => process.geteuid?.() === 0,
    ownFile: () => (import.meta.path.startsWith("/$bunfs/") ? process.execPath : null),
    ...rest,
  };
}
