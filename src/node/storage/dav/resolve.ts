import type { DriveNode } from "../drive/index.ts";
import type { Names } from "./addresses.ts";
import { fail } from "./contract.ts";
import type { Needs } from "./needs.ts";

/** Where an address leads. */
export interface Place {
  names: Names;
  /** Folders above it, the topmost first; null is the Drive itself. It is shorter than the names where a folder is missing. */
  above: readonly (string | null)[];
  /** What is there; null for nothing, and at the top. */
  node: DriveNode | null;
}

/** The Drive itself. */
export const isTop = ({ names }: Place): boolean => names.length === 0;

/** Whether something is there. */
export const isThere = (place: Place): boolean => isTop(place) || place.node !== null;

export const isFolder = (place: Place): boolean => isTop(place) || place.node?.kind === "folder";

/** Whether all folders above it are there. */
export const hasParent = ({ names, above }: Place): boolean => names.length > 0 && above.length === names.length;

/** What a thing that a lock or a property is on is kept under; null for the Drive itself. Something has to be there. */
export function keyOf(place: Place): string | null {
  if (!isThere(place)) throw new Error("nothing is there that a lock or a property could be on");
  return place.node?.id ?? null;
}

/** Finds what of a name is in a folder of somebody; null is the Drive itself. */
export type Find = (parentId: string | null, name: string) => DriveNode | null;

/** Names of new files are written in one way; what is there may be written in the other, as macOS does. */
export const finderOf =
  ({ drive }: Pick<Needs, "drive">, userId: string): Find =>
  (parentId, name) => {
    for (const form of new Set([name, name.normalize("NFC"), name.normalize("NFD")])) {
      const found = drive.find(userId, parentId, form);
      if (found !== null) return found;
    }
    return null;
  };

/** The same, which looks for each thing once: for several addresses of one moment. */
export function findOnce(find: Find): Find {
  const known = new Map<string, DriveNode | null>();
  return (parentId, name) => {
    const key = `${parentId ?? ""}/${name}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const looked = find(parentId, name);
    known.set(key, looked);
    return looked;
  };
}

/** Looks where an address leads. */
export const resolve = (needs: Pick<Needs, "drive">, userId: string, names: Names): Place =>
  resolveBy(finderOf(needs, userId), names);

/** The same by a way to find things. */
export function resolveBy(find: Find, names: Names): Place {
  const above: (string | null)[] = [];
  let parent: string | null = null;
  for (const [at, name] of names.entries()) {
    above.push(parent);
    const node = find(parent, name);
    if (at === names.length - 1) return { names, above, node };
    if (node?.kind !== "folder") break;
    parent = node.id;
  }
  return { names, above, node: null };
}

/** The place of something that is there. Throws `dav_not_found`. */
export function resolveThere(needs: Pick<Needs, "drive">, userId: string, names: Names): Place {
  const place = resolve(needs, userId, names);
  if (!isThere(place)) throw fail("dav_not_found");
  return place;
}

/** Where something new would go. Throws `dav_no_parent`. */
export function newPlaceOf(place: Place): { parentId: string | null; name: string } {
  const name = place.names.at(-1)?.normalize("NFC");
  if (name === undefined || !hasParent(place)) throw fail("dav_no_parent");
  return { parentId: place.above.at(-1) ?? null, name };
}
