import type { Engine } from "../runtime/index.ts";
import { fail } from "./contract.ts";
import type { Own } from "./needs.ts";
import { PROJECT_LABEL, requireNoOwner } from "./owners.ts";

/** On volumes that were made for an API key: it opens no others, whatever is in them and whoever they are for. */
export const KEY_VOLUME_LABEL = "orrery.for_keys";

/**
 * Looks whether a container may be run with these volumes; what the engine does not have yet, it makes. Throws `owned_by_…` for what
 * somebody looks after, `key_cannot_mount` where an API key asks for a volume that was not made for one, and `volume_of_keys` where somebody
 * else asks for one that was: what an ended key had run may still read it.
 */
export async function requireMountable(
  own: Own,
  engine: Engine,
  names: readonly string[],
  isKey: boolean,
): Promise<void> {
  if (names.length === 0) return;
  for (const { Name: name, Labels } of await engine.listVolumes({})) {
    if (!names.includes(name)) continue;
    requireNoOwner(own, name, Labels);
    const isForKeys = Labels?.[KEY_VOLUME_LABEL] !== undefined;
    // Whatever else its labels say, what a Compose project made is what people keep in it.
    const isOpenToKeys = isForKeys && Labels?.[PROJECT_LABEL] === undefined;
    if (isKey ? !isOpenToKeys : isForKeys) throw fail(isKey ? "key_cannot_mount" : "volume_of_keys", { name });
  }
}

/** Makes those of the volumes that are not there yet, for a key; what somebody else made in this moment stays theirs. */
export async function makeKeyVolumes(engine: Engine, names: readonly string[]): Promise<void> {
  const known = new Set((await engine.listVolumes({})).map(({ Name }) => Name));
  for (const name of new Set(names))
    if (!known.has(name)) await engine.createVolume(name, { [KEY_VOLUME_LABEL]: "yes" });
}
