import { hostname } from "node:os";
import { reachableAddresses } from "../host/addresses.ts";
import { tryProgram } from "../host/run-program.ts";
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

const runCommand: RunCommand = async (argv, timeoutMs = 150_000) => {
  const { code, signal, stdout, stderr } = await tryProgram(argv, { timeoutMs });
  return { code: signal === "SIGKILL" ? 124 : code, stdout, stderr };
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

/** The real host. Tests give another root folder and their own `run`, so that nothing outside is touched. */
export function createHost(overrides: { root?: string } & Partial<Host> = {}): Host {
  const { root = "/", ...rest } = overrides;
  return {
    ...createHostFiles(root),
    run: runCommand,
    get: (url, options = {}) => request("GET", url, options),
    delete: (url, options = {}) => request("DELETE", url, { timeoutMs: 60_000, ...options }),
    isPortFree,
    addresses: reachableAddresses,
    hostname: () => hostname(),
    isRoot: () => process.geteuid?.() === 0,
    ownFile: () => (import.meta.path.startsWith("/$bunfs/") ? process.execPath : null),
    ...rest,
  };
}
