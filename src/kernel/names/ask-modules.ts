import { isIP } from "node:net";
import { seconds } from "../../lib/duration.ts";
import { type RunProgram, tryProgram } from "../host/run-program.ts";

/** What is there on the own network answers in a moment; the rest is found out by waiting. */
const PATIENCE_MS = seconds(2);
const MAX_BYTES = 16 * 1024;

/**
 * The addresses that the system's library knows of a name by modules that only it can load. It is asked in a process of its own, which is
 * ended when it takes too long; none where there is no such program.
 */
export async function askModules(name: string, run: RunProgram = tryProgram): Promise<string[]> {
  const { stdout } = await run(["getent", "ahosts", name], { timeoutMs: PATIENCE_MS, maxBytes: MAX_BYTES, env: {} });
  const addresses = stdout.split("\n").map((line) => line.split(/\s/, 1)[0] ?? "");
  return [...new Set(addresses.filter((address) => isIP(address) !== 0))];
}
