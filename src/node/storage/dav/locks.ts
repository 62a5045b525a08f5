import { hrefOf } from "./addresses.ts";
import { fail } from "./contract.ts";
import { type LockRow, listLocks, listLocksBelow, listLocksOn, namesOfNode, type Of } from "./lock-store.ts";
import type { Needs } from "./needs.ts";
import { isThere, keyOf, type Place } from "./resolve.ts";
import { leaf, tag } from "./xml-write.ts";

type Reads = Pick<Needs, "db" | "clock">;

const of = ({ clock }: Reads, userId: string): Of => ({ userId, now: clock.now() });

/** Locks that hold at a place: those on it, and the deep ones on folders above. */
export function locksAt(needs: Reads, userId: string, place: Place): LockRow[] {
  const own = isThere(place) ? [keyOf(place)] : [];
  return listLocksOn(needs.db, of(needs, userId), [...place.above, ...own]).filter(
    ({ is_deep, node_id }) => is_deep === 1 || (own.length > 0 && node_id === keyOf(place)),
  );
}

/** The same for several places of one moment: the locks are read once. */
export function locksReader(needs: Reads, userId: string): (place: Place) => LockRow[] {
  let known: Map<string | null, LockRow[]> | null = null;
  return (place) => {
    known ??= Map.groupBy(listLocks(needs.db, of(needs, userId)), ({ node_id }) => node_id);
    const on = (id: string | null): LockRow[] => known?.get(id) ?? [];
    const deep = place.above.flatMap((id) => on(id).filter(({ is_deep }) => is_deep === 1));
    return isThere(place) ? [...deep, ...on(keyOf(place))] : deep;
  };
}

/** Locks that hold for what lies directly in the folder of a place: what is added there or leaves. */
function locksOfParent(needs: Reads, userId: string, { above }: Place): LockRow[] {
  const parent = above.at(-1) ?? null;
  return listLocksOn(needs.db, of(needs, userId), above).filter(
    ({ is_deep, node_id }) => is_deep === 1 || node_id === parent,
  );
}

/** Locks on what lies in a folder, on all levels. */
export const locksBelow = (needs: Reads, userId: string, place: Place): LockRow[] =>
  isThere(place) ? listLocksBelow(needs.db, of(needs, userId), keyOf(place)) : [];

/** Things whose addresses a refusal names: more is read by nobody, and each is looked up. */
const MAX_NAMED = 20;

/** The address of what a lock is on. */
const rootOf = ({ db }: Reads, nodeId: string | null): string =>
  hrefOf(nodeId === null ? [] : namesOfNode(db, nodeId), false);

/** Refused because of these locks, of which the answer names some addresses. */
export function lockedBy(needs: Reads, condition: string, locks: readonly LockRow[]) {
  const nodes = [...new Set(locks.map(({ node_id }) => node_id))].slice(0, MAX_NAMED);
  return fail("dav_locked", { condition, hrefs: nodes.map((id) => rootOf(needs, id)) });
}

/** Whether locks let somebody through who shows these tokens: each that is exclusive, and one of several shared ones on the same. */
export function opens(locks: readonly LockRow[], shown: ReadonlySet<string>): boolean {
  const shownOn = new Set(locks.filter(({ token }) => shown.has(token)).map(({ node_id }) => node_id));
  return locks.every(({ is_shared, token, node_id }) => shown.has(token) || (is_shared === 1 && shownOn.has(node_id)));
}

/** What of a place a request changes. */
export interface Change {
  /** The thing itself: its content, its properties, its being there. */
  self?: boolean;
  /** That it is in its folder. */
  inParent?: boolean;
  /** All that lies in it. */
  below?: boolean;
}

/** Refuses a change that a lock keeps from whoever shows these tokens. Throws `dav_locked`. */
export function requireUnlocked(
  needs: Reads,
  userId: string,
  place: Place,
  shown: ReadonlySet<string>,
  { self = false, inParent = false, below = false }: Change,
): void {
  const locks = [
    ...(self ? locksAt(needs, userId, place) : []),
    ...(inParent ? locksOfParent(needs, userId, place) : []),
    ...(below ? locksBelow(needs, userId, place) : []),
  ];
  if (!opens(locks, shown)) {
    const closed = locks.filter(({ token }) => !shown.has(token));
    throw lockedBy(needs, "lock-token-submitted", closed);
  }
}

/** Locks as answers describe them. What several are on is looked up once. */
export function describeLocks(needs: Reads, locks: readonly LockRow[]): string {
  const roots = new Map([...new Set(locks.map(({ node_id }) => node_id))].map((id) => [id, rootOf(needs, id)]));
  return locks.map((lock) => describeLock(needs, lock, roots.get(lock.node_id) ?? "")).join("");
}

function describeLock(needs: Reads, lock: LockRow, root: string): string {
  const left = Math.max(0, Math.ceil((lock.expires_at - needs.clock.now()) / 1000));
  return tag(
    "activelock",
    [
      tag("locktype", tag("write")),
      tag("lockscope", tag(lock.is_shared === 1 ? "shared" : "exclusive")),
      leaf("depth", lock.is_deep === 1 ? "infinity" : "0"),
      lock.owner,
      leaf("timeout", `Second-${left}`),
      tag("locktoken", leaf("href", lock.token)),
      tag("lockroot", leaf("href", root)),
    ].join(""),
  );
}
