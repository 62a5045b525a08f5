import type { Manifest } from "../../templates/index.ts";

const ORDER = new Intl.Collator("en", { numeric: true });

/** Whether a version is within a range such as `>=2.5 <3` or `*`; every part of it must hold. */
export function isInRange(version: string, range: string): boolean {
  return range
    .trim()
    .split(/\s+/)
    .every((part) => {
      if (part === "*") return true;
      const [, sign = "=", bound = ""] = /^(>=|<=|>|<|=)?(.+)$/.exec(part) ?? [];
      const order = ORDER.compare(version, bound);
      if (sign === ">=") return order >= 0;
      if (sign === "<=") return order <= 0;
      if (sign === ">") return order > 0;
      return sign === "<" ? order < 0 : order === 0;
    });
}

/** A version as far as its ways in go. */
export type Reachable = Pick<Manifest, "version" | "upgrade">;

/** Longest way that is looked for. */
const MOST_HOPS = 20;

/**
 * The versions to pass on the way from `version` to `target`, the last of which is it; null when there is no way. `find` reads the
 * version that must be passed first.
 */
export async function findPath<Found extends Reachable>(
  version: string,
  target: Found,
  find: (version: string) => Promise<Found | null>,
): Promise<Found[] | null> {
  const path: Found[] = [target];
  for (let next: Found = target; path.length <= MOST_HOPS; ) {
    const from = next.upgrade.from.find(({ range }) => isInRange(version, range));
    const stop = from === undefined ? null : from.stop_at;
    if (stop === null) return null;
    // A stop that is behind us already is no stop.
    if (stop === undefined || ORDER.compare(version, stop) >= 0) return path;
    const before = await find(stop);
    if (before === null || path.includes(before)) return null;
    path.unshift(before);
    next = before;
  }
  return null;
}

/** True when `candidate` is newer than what is installed: a later version, or a later revision of the same. */
export function isNewer(
  candidate: Pick<Manifest, "version" | "revision">,
  installed: Pick<Manifest, "version" | "revision">,
): boolean {
  const order = ORDER.compare(candidate.version, installed.version);
  return order > 0 || (order === 0 && candidate.revision > installed.revision);
}
