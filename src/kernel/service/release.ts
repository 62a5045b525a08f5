import { isRecord, parseJson } from "../../lib/json.ts";
import type { Host } from "./host.ts";
import { layoutOf, onDemandLayoutOf, type ProgramSpec } from "./program.ts";

/** A file that a release wants on the host besides itself. */
export interface ReleaseFile {
  path: string;
  mode: number;
  content: string;
}

/** What a release says about itself (`version --json`): all that another release needs to replace it safely. */
export interface ReleaseFacts {
  name: string;
  version: string;
  target: string | null;
  /** `feature/number` of every migration it knows. */
  migrations: readonly string[];
  files: readonly ReleaseFile[];
}

/** Longest files of a release in bytes; what is longer is none of ours. `sums` goes for the signature, too. */
export const RELEASE_LIMITS = { program: 1_000_000_000, sums: 65_536 } as const;

/** Bytes to leave free besides the copies of a release. */
export const SPARE_BYTES = 100_000_000;

/** Units and admin command of a program. */
export function filesOf(spec: ProgramSpec): ReleaseFile[] {
  const { unitDir, serviceUnit, upgradeUnit, watchUnit, accountUnit, admin } = layoutOf(spec);
  const { watch, onDemand } = spec.units;
  const role = onDemandLayoutOf(spec);
  return [
    ...(spec.account === null ? [] : [{ path: `${unitDir}/${accountUnit}`, mode: 0o644, content: spec.account.unit }]),
    { path: `${unitDir}/${serviceUnit}`, mode: 0o644, content: spec.units.service },
    { path: `${unitDir}/${upgradeUnit}`, mode: 0o644, content: spec.units.upgrade },
    ...(watch === null ? [] : [{ path: `${unitDir}/${watchUnit}`, mode: 0o644, content: watch }]),
    ...(onDemand === null || role === null
      ? []
      : [
          { path: `${unitDir}/${role.socketUnit}`, mode: 0o644, content: onDemand.socket },
          { path: `${unitDir}/${role.serviceUnit}`, mode: 0o644, content: onDemand.service },
        ]),
    ...(spec.adminCommand ? [{ path: admin, mode: 0o755, content: spec.adminCommand.content }] : []),
  ];
}

/** The facts of the running program. */
export function describeRelease(spec: ProgramSpec): ReleaseFacts {
  const { name, version, target, migrations } = spec;
  return { name, version, target, migrations, files: filesOf(spec) };
}

function isReleaseFile(value: unknown): value is ReleaseFile {
  return (
    isRecord(value) &&
    typeof value["path"] === "string" &&
    typeof value["mode"] === "number" &&
    typeof value["content"] === "string"
  );
}

/** Asks a program file what it is. Throws when it does not run on this machine or is another program. */
export async function askRelease(host: Host, spec: ProgramSpec, path: string): Promise<ReleaseFacts> {
  const { code, stdout, stderr } = await host.run([host.real(path), "version", "--json"], 20_000);
  if (code === 127) throw new Error("the new program cannot be run here; is it for another kind of processor?");
  if (code !== 0) {
    const said = stderr.trim().split("\n")[0] ?? "";
    throw new Error(`the new program does not run on this machine (it ended with ${code}${said ? `: ${said}` : ""})`);
  }
  const facts = parseJson(stdout);
  if (!isRecord(facts) || facts["name"] !== spec.name) throw new Error(`the file is not ${spec.name}`);
  const { version, target, migrations, files } = facts;
  if (typeof version !== "string" || !/^[0-9A-Za-z][0-9A-Za-z.+-]*$/.test(version))
    throw new Error("the new program does not tell its version");
  if (!Array.isArray(migrations) || !Array.isArray(files) || !files.every(isReleaseFile))
    throw new Error("the new program does not describe itself");
  return {
    name: spec.name,
    version,
    target: typeof target === "string" ? target : null,
    migrations: migrations.map(String),
    files,
  };
}

/**
 * Folder name for a program file: its version, or version and digest when other bytes have that name already (own
 * builds often share one version).
 */
export async function releaseName(host: Host, spec: ProgramSpec, version: string, sha256: string): Promise<string> {
  const there = await host.sha256(releaseFile(spec, version));
  return there === null || there === sha256 ? version : `${version}-${sha256.slice(0, 8)}`;
}

/** Path of the program file of a release. */
export function releaseFile(spec: ProgramSpec, release: string): string {
  return `${layoutOf(spec).releases}/${release}/${spec.name}`;
}

/** Where new releases wait until they have been checked: those that root names, that the service asks for, that are fetched. */
const WAITING = ["incoming", "asked", "fetched"] as const;

/** One of those folders; a power cut may leave it behind. */
export function waitingFolder(spec: ProgramSpec, kind: (typeof WAITING)[number]): string {
  return `${layoutOf(spec).releases}/.${kind}-${spec.short}`;
}

/** All of them. */
export function waitingFolders(spec: ProgramSpec): string[] {
  return WAITING.map((kind) => waitingFolder(spec, kind));
}
