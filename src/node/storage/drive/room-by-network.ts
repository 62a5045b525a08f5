import { createPiles } from "../../../lib/piles.ts";
import type { UploadRow } from "./upload-store.ts";

type Row = Pick<UploadRow, "networks">;

/** The networks of an upload, the widest first; none where nobody noted them. */
const pathOf = ({ networks }: Row): string[] => networks?.split(" ") ?? [];

/**
 * Which of `rows` gives way to one more from `networks`: the first that `isStill`, of the part that holds most, in it again, and so on down,
 * and only where that part holds more than the newcomer's would with one more. Undefined where there is none: what moves gives way to nobody,
 * and who holds as much as others makes no room for themselves so.
 */
export function findStill<R extends Row>(
  rows: readonly R[],
  networks: readonly string[],
  isStill: (row: R) => boolean,
): R | undefined {
  const held = createPiles<R>();
  for (const row of rows) held.add(pathOf(row), row);
  const countsOf = (path: readonly string[]) => path.map((_, depth) => held.count(path.slice(0, depth + 1)));
  const own = countsOf(networks);
  let weaker: { row: R; counts: number[] } | undefined;
  for (const row of rows) {
    const path = pathOf(row);
    const counts = countsOf(path);
    const parting = path.findIndex((name, depth) => name !== networks[depth]);
    const hasMore = parting >= 0 && (counts[parting] ?? 0) > (own[parting] ?? 0) + 1;
    if (hasMore && (weaker === undefined || isMore(counts, weaker.counts)) && isStill(row)) weaker = { row, counts };
  }
  return weaker?.row;
}

/** By the widest part in which they differ. */
function isMore(counts: readonly number[], than: readonly number[]): boolean {
  const parting = counts.findIndex((count, depth) => count !== than[depth]);
  return parting >= 0 && (counts[parting] ?? 0) > (than[parting] ?? 0);
}
