import type { Host } from "./host.ts";
import { layoutOf, type ProgramSpec } from "./program.ts";
import { releaseFile } from "./release.ts";

/** Every release folder that holds this program. */
export function listReleases(host: Host, spec: ProgramSpec): string[] {
  return host.list(layoutOf(spec).releases).filter((release) => host.stat(releaseFile(spec, release)) !== null);
}

/** Snapshots that upgrades took start with this. */
export const SNAPSHOT_PREFIX = "upgrade-";

/** Removes releases other than `keep` and upgrade snapshots other than `snapshot`: one way back is kept. */
export function pruneReleases(host: Host, spec: ProgramSpec, keep: readonly string[], snapshot: string): void {
  const { releases, snapshots } = layoutOf(spec);
  for (const release of listReleases(host, spec)) {
    if (keep.includes(release)) continue;
    host.remove(releaseFile(spec, release));
    if (host.list(`${releases}/${release}`).length === 0) host.remove(`${releases}/${release}`);
  }
  for (const name of host.list(snapshots)) {
    const path = `${snapshots}/${name}`;
    if (name.startsWith(SNAPSHOT_PREFIX) && path !== snapshot) host.removeTree(path);
  }
}
