import { join } from "node:path";
import type { BlobRow } from "./catalogue-store.ts";

/** Objects up to this size share segments; larger ones have files of their own. */
export const PACKED_BYTES = 128 * 1024;

/**
 * The name of a bucket that is being filled before anybody may see it. No protocol and no screen lets a name have a colon, so
 * nobody else has one.
 */
export const hiddenName = (name: string): string => `hidden:${name}`;
export const isHidden = (name: string): boolean => name.startsWith("hidden:");

/** What names the file of a large blob; an encrypted one has another name, so that both can be there for a moment. */
export type BlobFile = Pick<BlobRow, "id" | "sealed">;

const SEALED_END = ".sealed";

/** What that file is called. */
export const blobFileName = ({ id, sealed }: BlobFile): string => (sealed === 1 ? `${id}${SEALED_END}` : id);

/** What a file of that name is. */
export const readBlobFileName = (name: string): BlobFile =>
  name.endsWith(SEALED_END) ? { id: name.slice(0, -SEALED_END.length), sealed: 1 } : { id: name, sealed: 0 };

/** What the file of a segment is called. */
export const segmentFileName = (segment: number): string => `${segment}.seg`;

/** Where everything of the store lies. */
export interface Layout {
  catalogue: string;
  /** The buckets as the catalogue has them, for the day when it is lost. */
  buckets: string;
  /** There while somebody wants the catalogue made anew. */
  wish: string;
  /** There while what is stored is to be encrypted, for the day when the catalogue is lost. */
  sealing: string;
  /** Files that nothing is known of any more. */
  unclaimed: string;
  incoming: string;
  segments: string;
  blobs: string;
  segment(id: number): string;
  /** A file of its own; spread over folders by the end of its id, which is random. */
  blob(file: BlobFile): string;
  blobFolder(id: string): string;
}

/** The places of a store below `folder`. */
export function layoutOf(folder: string): Layout {
  const blobs = join(folder, "blobs");
  const segments = join(folder, "segments");
  const blobFolder = (id: string) => join(blobs, id.slice(-2));
  return {
    catalogue: join(folder, "catalogue.db"),
    buckets: join(folder, "buckets.json"),
    wish: join(folder, "rebuild"),
    sealing: join(folder, "encrypted"),
    unclaimed: join(folder, "unclaimed"),
    incoming: join(folder, "incoming"),
    segments,
    blobs,
    segment: (id) => join(segments, segmentFileName(id)),
    blobFolder,
    blob: (file) => join(blobFolder(file.id), blobFileName(file)),
  };
}
