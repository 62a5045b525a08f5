import type { Database } from "bun:sqlite";
import { basename } from "node:path";
import { type Places, placesOf } from "./places-of.ts";

/** The files that answers on their way still need. */
export interface HeldFiles {
  /** Where the blobs of an object lie; none of their files is removed until `release`, whatever becomes of the object. */
  take(db: Database, blobs: string): { places: Places; release(): void };
  isHeld(path: string): boolean;
}

/** Nothing is held yet. Those who read the same object at the same time share what is known of it. */
export function createHeldFiles(): HeldFiles {
  const readers = new Map<string, { places: Places; count: number }>();
  const held = new Map<string, number>();

  function change(places: Places, by: number): void {
    for (const name of places.files()) {
      const count = (held.get(name) ?? 0) + by;
      if (count === 0) held.delete(name);
      else held.set(name, count);
    }
  }

  return {
    take(db, blobs) {
      const known = readers.get(blobs);
      const entry = known ?? { places: placesOf(db, blobs), count: 0 };
      if (known === undefined) {
        readers.set(blobs, entry);
        change(entry.places, 1);
      }
      entry.count += 1;
      let isReleased = false;
      return {
        places: entry.places,
        release() {
          if (isReleased) return;
          isReleased = true;
          entry.count -= 1;
          if (entry.count > 0) return;
          readers.delete(blobs);
          change(entry.places, -1);
        },
      };
    },
    isHeld: (path) => held.has(basename(path)),
  };
}
