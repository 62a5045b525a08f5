import { hostPort } from "../config.ts";
import type { Host } from "./host.ts";
import { type Layout, layoutOf, type ProgramSpec } from "./program.ts";
import { RELEASE_ENV, readReleaseSettings } from "./release-base.ts";

/** The environment that the installed service runs with; null when the program is not installed. */
export function installedEnv(host: Host, spec: ProgramSpec): Record<string, string> | null {
  const layout = layoutOf(spec);
  if (host.stat(`${layout.unitDir}/${layout.serviceUnit}`) === null) return null;
  return { [spec.env.data]: layout.dataDir, ...parseEnvFile(host.read(layout.config) ?? "") };
}

/** `KEY=value` lines as systemd reads them: comments and blank lines skipped, one pair of quotes taken off. */
export function parseEnvFile(text: string): Record<string, string> {
  const pairs = text
    .split("\n")
    .map((line) => /^\s*([A-Za-z_][A-Za-z0-9_]*)=(.*)$/.exec(line))
    .filter((match) => match !== null)
    .map((match) => [match[1] ?? "", (match[2] ?? "").trim().replace(/^(["'])(.*)\1$/, "$2")] as const);
  return Object.fromEntries(pairs);
}

/**
 * The file a fresh install writes; afterwards it belongs to the owner of the host. What `env` says about releases is kept,
 * so that updates come from where the program came from. Throws when it says nonsense.
 */
export function newEnvFile(spec: ProgramSpec, listen: string, env: Record<string, string>): string {
  const { base, allowed } = readReleaseSettings(env);
  return [
    `# Settings of ${spec.name}. \`${spec.name} config\` lists every key; restart the service after a change:`,
    `#   systemctl restart ${spec.name}`,
    `${spec.env.listen}=${listen}`,
    ...(base === "" ? [] : [`${RELEASE_ENV.base}=${base}`]),
    ...(allowed.length > 0 ? [`${RELEASE_ENV.allowed}=${allowed.join(",")}`] : []),
    "",
  ].join("\n");
}

/** Where the service listens according to its settings; throws when the value is no HOST:PORT. */
export function installedListen(host: Host, spec: ProgramSpec): { host: string; port: number } {
  return listenOf(spec, installedEnv(host, spec) ?? {});
}

/** Where a program listens in this environment; throws when the value is no HOST:PORT. */
export function listenOf(spec: ProgramSpec, env: Record<string, string>): { host: string; port: number } {
  return hostPort(env[spec.env.listen] ?? `127.0.0.1:${spec.port}`);
}

/** A URL on this machine that reaches a service listening there. */
export function localUrl(listen: { host: string; port: number }): string {
  const host = { "0.0.0.0": "127.0.0.1", "[::]": "[::1]" }[listen.host] ?? listen.host;
  return `http://${host}:${listen.port}`;
}

/** Folder of the release that `current` (or `knownGood`) points to, such as `0.1.0`; null when there is none. */
export function releaseOf(host: Host, link: Layout["current"]): string | null {
  const target = host.target(link);
  return target === null ? null : target.slice(target.lastIndexOf("/") + 1);
}
