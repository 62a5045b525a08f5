import type { Database } from "bun:sqlite";
import { basename } from "node:path";
import { findPlaces, type Places } from "./places-of.ts";

/** Where the blobs of an object lie, for as long as somebody reads it. */
export interface Taken {
  places: Places;
  release(): void;
}

/** The files that answers on their way still need. */
export interface HeldFiles {
  /** Where the blobs of an object lie; none of their files is removed until `release`, whatever becomes of the object. */
  take(db: Database, blobs: string): Promise<Taken>;
  isHeld(path: string): boolean;
  /** Forgets where things lie that nobody reads now: some may be moved. */
  forgetIdle(): void;
}

/** What is known of an object that somebody reads, or did lately. */
interface Entry {
  finding: Promise<Places>;
  /** What was found so far. */
  places: Places | null;
  /** Up to which blob the files are held. */
  upTo: number;
  readers: number;
}

/** Of objects in more pieces than that it is kept where they lie when nobody reads them any more, for so many pieces in all. */
const MANY = 32;
const MOST_IDLE = 100_000;

/** Nothing is held yet. Those who read the same object at the same time share what is known of it. */
export function createHeldFiles(): HeldFiles {
  /** The one that was read last is the last. */
  const known = new Map<string, Entry>();
  const held = new Map<string, number>();

  function hold(places: Places, from: number, to: number, by: 1 | -1): void {
    for (let index = from; index < to; index += 1) {
      const name = places.file(index);
      const count = (held.get(name) ?? 0) + by;
      if (count === 0) held.delete(name);
      else held.set(name, count);
    }
  }

  function begin(db: Database, blobs: string): Entry {
    const finding = findPlaces(db, blobs, (places, from, to) => {
      hold(places, from, to, 1);
      entry.places = places;
      entry.upTo = to;
    });
    const entry: Entry = { finding, places: null, upTo: 0, readers: 0 };
    known.set(blobs, entry);
    return entry;
  }

  /** Lets the oldest go of those that nobody reads. */
  function trim(): void {
    const idle = [...known].filter(([, { readers }]) => readers === 0);
    let pieces = idle.reduce((sum, [, { places }]) => sum + (places?.count ?? 0), 0);
    for (const [blobs, { places }] of idle) {
      if (pieces <= MOST_IDLE) break;
      known.delete(blobs);
      pieces -= places?.count ?? 0;
    }
  }

  function release(blobs: string, entry: Entry): void {
    entry.readers -= 1;
    if (entry.readers > 0 || entry.places === null) return;
    hold(entry.places, 0, entry.upTo, -1);
    entry.upTo = 0;
    if (entry.places.count > MANY) trim();
    else known.delete(blobs);
  }

  return {
    async take(db, blobs) {
      const entry = known.get(blobs) ?? begin(db, blobs);
      // The last one in the map is the one that was read last.
      known.delete(blobs);
      known.set(blobs, entry);
      entry.readers += 1;
      if (entry.places !== null && entry.upTo === 0) {
        hold(entry.places, 0, entry.places.count, 1);
        entry.upTo = entry.places.count;
      }
      let isReleased = false;
      function leave(): void {
        if (!isReleased) release(blobs, entry);
        isReleased = true;
      }
      try {
        return { places: await entry.finding, release: leave };
      } catch (error) {
        known.delete(blobs);
        leave();
        throw error;
      }
    },
    isHeld: (path) => held.has(basename(path)),
    forgetIdle() {
      for (const [blobs, { readers }] of known) if (readers === 0) known.delete(blobs);
    },
  };
}
