/** Docker 20.10, the oldest engine that the tests run against. */
const OLDEST = "1.41";
/** The newest API whose answers were checked. */
const NEWEST = "1.47";

function compare(left: string, right: string): number {
  const [leftMajor = 0, leftMinor = 0] = left.split(".").map(Number);
  const [rightMajor = 0, rightMinor = 0] = right.split(".").map(Number);
  return leftMajor - rightMajor || leftMinor - rightMinor;
}

/**
 * The API version to speak with an engine that offers `oldest` to `newest`: as new as we know, never older than the
 * engine still accepts. Null when the engine is too old for us.
 */
export function chooseApiVersion(newest: string, oldest: string): string | null {
  if (compare(newest, OLDEST) < 0) return null;
  const wanted = compare(newest, NEWEST) > 0 ? NEWEST : newest;
  return compare(oldest, wanted) > 0 ? oldest : wanted;
}
