import type { Engine, VolumeSummary } from "../runtime/index.ts";
import { fail } from "./contract.ts";
import type { Own } from "./needs.ts";
import { projectOf, requireNoOwner } from "./owners.ts";

/** What people keep in a Compose project, or any folder of this server: by its options a volume may be one. */
function isForPeople({ Labels, Driver = "local", Options }: VolumeSummary): boolean {
  return projectOf(Labels) !== null || Driver !== "local" || Object.keys(Options ?? {}).length > 0;
}

/**
 * Looks whether a container may be run with these volumes; what the engine does not have yet, it makes. Throws `owned_by_…` for what
 * somebody looks after, and `key_cannot_mount` where an API key asks for what only people open.
 */
export async function requireMountable(
  own: Own,
  engine: Engine,
  names: readonly string[],
  isKey: boolean,
): Promise<void> {
  if (names.length === 0) return;
  for (const volume of await engine.listVolumes({})) {
    const { Name: name, Labels } = volume;
    if (!names.includes(name)) continue;
    requireNoOwner(own, name, Labels);
    if (isKey && isForPeople(volume)) throw fail("key_cannot_mount", { name });
  }
}
