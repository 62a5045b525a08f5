import { minutes, seconds } from "../../../lib/duration.ts";

/** Folders of which so many databases were taken one by one have more of them, which are read at once. */
const CROWD = 4;
/** How long the databases of an app are taken singly, those of one folder at the top of a volume, and as how long a large one counts. */
const MOST_MS = minutes(10);
const MOST_OF_PLACE_MS = minutes(5);
const MOST_OF_ONE_MS = seconds(5);

/** The folders around a path, the nearest first; the last is the volume itself. */
function* foldersAround(path: string): Generator<string> {
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) yield path.slice(0, at);
  yield "";
}

/** Finds folders with many databases. */
export function createCrowds() {
  const counts = new Map<string, number>();
  const found = new Set<string>();
  return {
    /** Counts one that is taken singly. Answers the folder around it that is to be read at once, each at most one time. */
    count(path: string): string | null {
      let crowded: string | null = null;
      for (const folder of foldersAround(path)) {
        const count = (counts.get(folder) ?? 0) + 1;
        counts.set(folder, count);
        if (crowded === null && count > CROWD && !found.has(folder)) crowded = folder;
      }
      if (crowded !== null) found.add(crowded);
      return crowded;
    },
  };
}

/**
 * The time in which databases of one app are taken. It is for crowds of small ones: how much there can be of large ones, the disk says. No
 * folder has all of it, so that a crowd in one leaves some to the others.
 */
export function createAllowance() {
  const spent = new Map<string, number>();
  let total = 0;
  const placeOf = (volume: string, path: string): string =>
    `${volume}/${path.slice(0, Math.max(0, path.indexOf("/")))}`;
  return {
    isSpent: (volume: string, path: string): boolean =>
      total >= MOST_MS || (spent.get(placeOf(volume, path)) ?? 0) >= MOST_OF_PLACE_MS,
    spend(volume: string, path: string, ms: number): void {
      const counted = Math.min(ms, MOST_OF_ONE_MS);
      const place = placeOf(volume, path);
      total += counted;
      spent.set(place, (spent.get(place) ?? 0) + counted);
    },
  };
}
