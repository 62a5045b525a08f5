import type { Snapshot, SnapshotPart } from "../engine/index.ts";

/** The part with the key that seals secrets and encrypts objects. */
export const KEY_FILE = "node.key";
/** A key is a line of text. A stream that names one chunk again and again takes no room at a target, and may be of any length. */
export const MOST_KEY_BYTES = 4096;

/** Names of the parts that buckets and Drives are kept in. */
export const OBJECT_PARTS = {
  catalogue: "objects/catalogue.db",
  segment: (id: number): string => `objects/segments/${id}.seg`,
  blobs: "objects/blobs",
  index: "objects/blobs.db",
} as const;

const SEGMENT = /^objects\/segments\/\d{1,15}\.seg$/;

/** Whether a part is a file of the folder of objects; other names could lead out of it. */
export const isObjectsFile = (name: string): boolean =>
  name === OBJECT_PARTS.catalogue || name === OBJECT_PARTS.index || SEGMENT.test(name);

/** The node's own part of that name; null where the backup has none. */
export const partOf = (parts: readonly SnapshotPart[], name: string): SnapshotPart | null =>
  parts.find((part) => part.app === null && part.name === name) ?? null;

/** Whether a backup has buckets and Drives. */
export const hasObjects = ({ parts }: Pick<Snapshot, "parts">): boolean =>
  partOf(parts, OBJECT_PARTS.catalogue) !== null;
