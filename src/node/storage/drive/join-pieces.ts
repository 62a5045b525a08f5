/** A chunk that comes little by little lies in at most so many pieces. */
export const MOST_PIECES = 64;

/**
 * From which piece on a chunk is written anew as one, together with the `more` bytes that come behind it; the number of pieces where those
 * become a piece of their own. Nothing is written anew before there are too many, and then only from the first piece on that is no larger than
 * all behind it: what is left has twice as much from piece to piece, so few are left, and a byte is written anew only as what it lies in doubles.
 */
export function joinFrom(sizes: readonly number[], more: number): number {
  if (sizes.length < MOST_PIECES) return sizes.length;
  let from = sizes.length;
  let behind = more;
  for (const [index, size] of [...sizes.entries()].reverse()) {
    if (size <= behind) from = index;
    behind += size;
  }
  return from;
}
