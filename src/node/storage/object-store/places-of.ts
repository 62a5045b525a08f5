import type { Database } from "bun:sqlite";
import { createBreaks } from "../../../lib/breaks.ts";
import { readIds } from "./apply-operation.ts";
import { type BlobRow, listPlaces } from "./catalogue-store.ts";
import { blobFileName, segmentFileName } from "./layout.ts";

/** A blob as whoever reads it needs it. */
export type StoredBlob = Omit<BlobRow, "record" | "refs">;

/** Bytes from `start` on, `length` of them. */
export interface Range {
  start: number;
  length: number;
}

/** The blob in which a byte of an object lies, and how many of its own come before. */
export interface Place {
  index: number;
  skip: number;
}

/** Where a byte lies; beyond the last blob for one that the object does not have. */
export function placeOf(places: Pick<Places, "count" | "sizeOf">, at: number): Place {
  let skip = at;
  let index = 0;
  for (; index < places.count && skip >= places.sizeOf(index); index += 1) skip -= places.sizeOf(index);
  return { index, skip };
}

/** Where the blobs of an object lie. */
export interface Places {
  count: number;
  /** Bytes of one of them; nothing for one that is not in the catalogue. */
  sizeOf(index: number): number;
  blob(index: number): StoredBlob;
  /** What the file is called that one of them lies in; others may lie in it too. */
  file(index: number): string;
}

const FIELDS = 5;
const OWN_FILE = -1;
/** So many are looked up at once. */
const STEP = 500;

/**
 * Looks them up, a step at a time, and keeps them in as little memory as that takes: an object may have ten thousand, and many may read such
 * at once. `onFound` is called with what is known after each step, and up to which blob.
 */
export async function findPlaces(
  db: Database,
  blobs: string,
  onFound: (places: Places, from: number, to: number) => void,
): Promise<Places> {
  const ids = readIds(blobs);
  const numbers = new Float64Array(ids.length * FIELDS);
  const numberOf = (index: number, field: number): number => numbers[index * FIELDS + field] ?? 0;
  const segmentOf = (index: number): number | null => {
    const segment = numberOf(index, 2);
    return segment === OWN_FILE ? null : segment;
  };
  const blob = (index: number): StoredBlob => ({
    id: ids[index] ?? "",
    size: numberOf(index, 0),
    position: numberOf(index, 1),
    segment: segmentOf(index),
    crc: numberOf(index, 3),
    sealed: numberOf(index, 4),
  });
  const places: Places = {
    count: ids.length,
    sizeOf: (index) => numberOf(index, 0),
    blob,
    file(index) {
      const segment = segmentOf(index);
      return segment === null ? blobFileName(blob(index)) : segmentFileName(segment);
    },
  };
  const breaks = createBreaks();
  for (let from = 0; from < ids.length; from += STEP) {
    await breaks();
    const step = ids.slice(from, from + STEP);
    for (const { at, size, position, segment, crc, sealed } of listPlaces(db, step))
      numbers.set([size, position, segment ?? OWN_FILE, crc, sealed], (from + at) * FIELDS);
    onFound(places, from, from + step.length);
  }
  return places;
}
