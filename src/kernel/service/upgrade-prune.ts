import type { Host } from "./host.ts";
import { layoutOf, type ProgramSpec } from "./program.ts";
import { releaseFile } from "./release.ts";

/** Every release folder that holds this program. */
export function listReleases(host: Host, spec: ProgramSpec): string[] {
  return host.list(layoutOf(spec).releases).filter((release) => host.stat(releaseFile(spec, release)) !== null);
}

/** Removes this program from a release folder, and the folder when the other program is not in it. */
export function dropRelease(host: Host, spec: ProgramSpec, release: string): void {
  const folder = `${layoutOf(spec).releases}/${release}`;
  host.remove(releaseFile(spec, release));
  if (host.list(folder).length === 0) host.remove(folder);
}

/** Removes every release but these: one way back is enough. */
export function keepReleases(host: Host, spec: ProgramSpec, keep: readonly string[]): void {
  for (const release of listReleases(host, spec)) if (!keep.includes(release)) dropRelease(host, spec, release);
}

/** Snapshots that upgrades took start with this. */
export const SNAPSHOT_PREFIX = "upgrade-";

/** Removes every snapshot of an upgrade but this one. */
export function keepSnapshot(host: Host, spec: ProgramSpec, snapshot: string): void {
  const { snapshots } = layoutOf(spec);
  for (const name of host.list(snapshots)) {
    const path = `${snapshots}/${name}`;
    if (name.startsWith(SNAPSHOT_PREFIX) && path !== snapshot) host.removeTree(path);
  }
}
