import { join } from "node:path";

/** Objects up to this size share segments; larger ones have files of their own. */
export const PACKED_BYTES = 128 * 1024;

/**
 * The name of a bucket that is being filled before anybody may see it. No protocol and no screen lets a name have a colon, so
 * nobody else has one.
 */
export const hiddenName = (name: string): string => `hidden:${name}`;
export const isHidden = (name: string): boolean => name.startsWith("hidden:");

/** Where everything of the store lies. */
export interface Layout {
  catalogue: string;
  /** The buckets as the catalogue has them, for the day when it is lost. */
  buckets: string;
  /** There while somebody wants the catalogue made anew. */
  wish: string;
  /** Files that nothing is known of any more. */
  unclaimed: string;
  incoming: string;
  segments: string;
  blobs: string;
  segment(id: number): string;
  /** A file of its own; spread over folders by the end of its id, which is random. */
  blob(id: string): string;
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
    unclaimed: join(folder, "unclaimed"),
    incoming: join(folder, "incoming"),
    segments,
    blobs,
    segment: (id) => join(segments, `${id}.seg`),
    blobFolder,
    blob: (id) => join(blobFolder(id), id),
  };
}
