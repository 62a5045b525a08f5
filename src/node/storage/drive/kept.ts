/** What other features keep with files and folders: it goes with them and is copied with them, so it counts where that is done in parts. */

/** Rows that go with files and folders. */
export interface Kept {
  /** How many are kept with these, counted no further than to a limit. */
  count(nodeIds: readonly string[], limit: number): number;
  /** Removes what is kept with these, at most so many rows; tells how many. */
  remove(nodeIds: readonly string[], limit: number): number;
}

/** What is copied along with files and folders. */
export interface Along {
  /** How many rows are kept with these, counted no further than to a limit. */
  count(nodeIds: readonly string[], limit: number): number;
  /** What they take. */
  sizeOf(nodeIds: readonly string[]): number;
  /** Throws where there is no room for so much more. */
  requireRoom(more: number): void;
  /** Hears of a copy, original first, in the transaction that makes it. */
  copied(from: string, to: string): void;
}

/** Nothing is copied along. */
export const NOTHING_ALONG: Along = { count: () => 0, sizeOf: () => 0, requireRoom() {}, copied() {} };
