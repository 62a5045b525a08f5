import type { Clock } from "../../lib/clock.ts";
import { list } from "../config.ts";
import { readProcessorFlags } from "../host/proc.ts";
import { createDownloads, type Downloads, parseCidr } from "../outgoing/index.ts";
import type { Host } from "./host.ts";
import type { ProgramSpec } from "./program.ts";

/** Variables of both programs that say where releases are found. */
export const RELEASE_ENV = { base: "ORRERY_RELEASE_BASE", allowed: "ORRERY_RELEASE_ALLOW_CIDRS" } as const;

/** Reads a release base, without a slash at its end. Throws an Error that says what is wrong. */
export function parseReleaseBase(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url !== null && url.username === "" && url.password === "" && url.search === "" && url.hash === "";
  if (!isPlain || (url.protocol !== "https:" && url.protocol !== "http:"))
    throw new Error("must look like https://example.org/orrery");
  return url.href.replace(/\/+$/, "");
}

/** What an environment says about releases; `base` is empty when it says nothing. Throws an Error that names the variable. */
export function readReleaseSettings(env: Record<string, string>): { base: string; allowed: string[] } {
  const read = <T>(name: string, parse: (text: string) => T): T => {
    try {
      return parse(env[name] ?? "");
    } catch (error) {
      throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  return {
    base: read(RELEASE_ENV.base, (text) => (text === "" ? "" : parseReleaseBase(text))),
    allowed: read(RELEASE_ENV.allowed, (text) => {
      const ranges = list(text);
      for (const range of ranges) parseCidr(range);
      return ranges;
    }),
  };
}

/** What releases are fetched with. `allowed` are ranges off the public internet, also over http. */
export function createReleaseDownloads(
  clock: Pick<Clock, "after">,
  allowed: readonly string[],
  ownPorts: ReadonlySet<number>,
): Downloads {
  return createDownloads({
    clock,
    allowed: allowed.map(parseCidr),
    allowedBy: RELEASE_ENV.allowed,
    ownPorts,
    isNamed: true,
  });
}

/** Where releases come from according to an environment; null when it does not say. Throws when it says nonsense. */
export function releaseSource(
  env: Record<string, string>,
  clock: Pick<Clock, "after">,
): { base: string; downloads: Downloads } | null {
  const { base, allowed } = readReleaseSettings(env);
  return base === "" ? null : { base, downloads: createReleaseDownloads(clock, allowed, new Set()) };
}

/** The file of a release that fits this machine, as `install.sh` chooses it; null when there is none for it. */
export function assetName(host: Host, spec: Pick<ProgramSpec, "name">, arch: string = process.arch): string | null {
  if (arch === "arm64") return `${spec.name}-linux-arm64`;
  if (arch !== "x64") return null;
  // Processors before 2013 and careful virtual machines lack AVX2; the normal build would end with SIGILL there.
  return readProcessorFlags(host.read)?.includes("avx2") ? `${spec.name}-linux-x64` : `${spec.name}-linux-x64-baseline`;
}
