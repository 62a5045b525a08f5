import { days } from "../../../lib/duration.ts";
import { DAMAGED, readCondemned, writeCondemned } from "./condemned.ts";
import { readListIds } from "./id-list.ts";
import type { Lease } from "./lease.ts";
import { INCOMING } from "./names.ts";
import type { Repository } from "./repository.ts";
import { listSnapshots, readSnapshot, removeSnapshot } from "./snapshot.ts";
import type { Target } from "./target.ts";

/** How long a pack that nothing needs stays, so that whoever still reads it, or was cut off long ago, finds it. */
const GRACE_MS = days(7);
/** A pack of which less than this is needed is written anew without the rest. */
const WORTH = 0.5;
/** So many of them in one go. */
const MOST_MOVED = 64;

/** What tidying up did. */
export interface Pruned {
  removed_packs: number;
  removed_bytes: number;
}

/** Ids of all chunks that the backups at a target need. Throws `damaged` where that cannot be told: then nothing may go. */
async function findNeeded(target: Target, repository: Repository): Promise<Set<string>> {
  const needed = new Set<string>();
  for (const id of await listSnapshots(target)) {
    const { parts } = await readSnapshot(target, repository, id);
    for (const { list } of parts)
      for (const listId of list) {
        if (needed.has(listId)) continue;
        needed.add(listId);
        for (const chunk of await readListIds(repository, listId)) needed.add(chunk);
      }
  }
  return needed;
}

/** How many bytes of each pack are needed. */
function weigh(repository: Repository, needed: ReadonlySet<string>): Map<string, number> {
  const weights = new Map<string, number>();
  for (const id of needed) {
    const place = repository.placeOf(id);
    if (place) weights.set(place.pack, (weights.get(place.pack) ?? 0) + place.length);
  }
  return weights;
}

/** Writes what is needed of nearly empty packs into new ones. */
async function gather(repository: Repository, needed: ReadonlySet<string>): Promise<void> {
  const weights = weigh(repository, needed);
  const poor = [...repository.packs()]
    .filter(([name, size]) => weights.has(name) && (weights.get(name) ?? 0) < size * WORTH)
    .slice(0, MOST_MOVED)
    .map(([name]) => name);
  // A single one would only be written again as it is, small and alone.
  if (poor.length < 2) return;
  const leaving = new Set(poor);
  for (const id of needed) {
    const place = repository.placeOf(id);
    if (place && leaving.has(place.pack)) await repository.move(id);
  }
  await repository.flush();
}

/**
 * Removes backups, and packs that nothing has needed for a week. What is needed is found anew each time, so that a mark alone never
 * removes anything; what a backup that is cut off has stored goes, too. Throws `damaged` and removes nothing where a backup
 * cannot be read.
 */
export async function prune(
  target: Target,
  repository: Repository,
  lease: Lease,
  forgotten: readonly string[],
  now: number,
): Promise<Pruned> {
  for (const id of forgotten) {
    await lease.hold();
    await removeSnapshot(target, id);
  }
  for (const { name } of await target.list(INCOMING)) await target.remove(name);
  const needed = await findNeeded(target, repository);
  await gather(repository, needed);
  const weights = weigh(repository, needed);
  const condemned = await readCondemned(target, repository.keys.secret);
  const next = new Map<string, number>();
  const pruned: Pruned = { removed_packs: 0, removed_bytes: 0 };
  for (const [name, size] of repository.packs()) {
    const since = condemned.packs.get(name);
    if (weights.has(name)) {
      if (since === DAMAGED) next.set(name, DAMAGED);
      continue;
    }
    if (since === undefined || since === DAMAGED || now - since < GRACE_MS) {
      next.set(name, since === undefined || since === DAMAGED ? now : since);
      continue;
    }
    await lease.hold();
    await target.remove(name);
    pruned.removed_packs += 1;
    pruned.removed_bytes += size;
  }
  await lease.hold();
  await writeCondemned(target, repository.keys.secret, { number: condemned.number, packs: next });
  return pruned;
}
