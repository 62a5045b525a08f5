import type { Database } from "bun:sqlite";
import { basename } from "node:path";
import { findPlaces, type Place, type Places, placeOf, type Range } from "./places-of.ts";

/** Where the blobs of an object lie, and which of them is the first that somebody reads. */
export interface Taken {
  places: Places;
  first: Place;
  release(): void;
}

/** The files that answers on their way still need. */
export interface HeldFiles {
  /** None of the files that the range touches is removed until `release`, whatever becomes of the object. */
  take(db: Database, blobs: string, range: Range): Promise<Taken>;
  isHeld(path: string): boolean;
  /** Forgets where things lie: some may have been moved. Whoever reads goes on with what they know. */
  forget(): void;
}

/** What is known of an object that somebody reads, or did lately. */
interface Entry {
  finding: Promise<Places>;
  /** What was found so far, and up to which blob all files are held until those who wait for the rest hold theirs. */
  places: Places | null;
  upTo: number;
  waiting: number;
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
    const entry: Entry = { finding, places: null, upTo: 0, waiting: 0, readers: 0 };
    known.set(blobs, entry);
    return entry;
  }

  /** One who waited holds what they need, or has failed. */
  function endWait(entry: Entry): void {
    entry.waiting -= 1;
    if (entry.waiting > 0 || entry.places === null) return;
    hold(entry.places, 0, entry.upTo, -1);
    entry.upTo = 0;
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

  function leave(blobs: string, entry: Entry): void {
    entry.readers -= 1;
    if (entry.readers > 0) return;
    if ((entry.places?.count ?? 0) > MANY) trim();
    else if (known.get(blobs) === entry) known.delete(blobs);
  }

  async function find(blobs: string, entry: Entry): Promise<Places> {
    try {
      return await entry.finding;
    } catch (error) {
      known.delete(blobs);
      endWait(entry);
      leave(blobs, entry);
      throw error;
    }
  }

  return {
    async take(db, blobs, { start, length }) {
      const entry = known.get(blobs) ?? begin(db, blobs);
      // The last one in the map is the one that was read last.
      known.delete(blobs);
      known.set(blobs, entry);
      entry.readers += 1;
      entry.waiting += 1;
      const places = await find(blobs, entry);
      const first = placeOf(places, start);
      const to = length === 0 ? first.index : placeOf(places, start + length - 1).index + 1;
      hold(places, first.index, Math.min(to, places.count), 1);
      endWait(entry);
      let isReleased = false;
      return {
        places,
        first,
        release() {
          if (isReleased) return;
          isReleased = true;
          hold(places, first.index, Math.min(to, places.count), -1);
          leave(blobs, entry);
        },
      };
    },
    isHeld: (path) => held.has(basename(path)),
    forget: () => known.clear(),
  };
}
