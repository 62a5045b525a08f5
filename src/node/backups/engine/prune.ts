import { days } from "../../../lib/duration.ts";
import { createChunkIndex } from "./chunk-index.ts";
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
/** After so many ids what they left is cleared away: each was text for a moment. */
const COLLECTED_IDS = 5000;
/** So many of them in one go. */
const MOST_MOVED = 64;

/** What tidying up did. */
export interface Pruned {
  removed_packs: number;
  removed_bytes: number;
}

/** An id that is in a set, in a form that takes few bytes. */
const THERE = { pack: 0, at: 0, length: 0 };

/**
 * Ids of all chunks that the backups at a target need; some come twice. Throws `damaged` where that cannot be told: then nothing
 * may go.
 */
async function* needs(target: Target, repository: Repository): AsyncGenerator<readonly string[]> {
  const lists = createChunkIndex();
  let count = 0;
  for (const id of await listSnapshots(target)) {
    const { parts } = await readSnapshot(target, repository, id);
    for (const { list } of parts)
      for (const listId of list) {
        if (lists.get(listId) !== null) continue;
        lists.set(listId, THERE);
        const ids = await readListIds(repository, listId);
        yield [listId];
        for (let at = 0; at < ids.length; at += COLLECTED_IDS) {
          const some = ids.slice(at, at + COLLECTED_IDS);
          yield some;
          count += some.length;
          if (count < COLLECTED_IDS) continue;
          Bun.gc(true);
          count = 0;
        }
      }
  }
}

const sumOf = (pack: string): string => pack.slice(pack.lastIndexOf("/") + 1);

/** How many bytes of packs are needed. Text for each of a terabyte's ids would take ten times as much memory. */
async function weigh(target: Target, repository: Repository): Promise<(pack: string) => number> {
  const seen = createChunkIndex();
  const weights = createChunkIndex();
  for await (const ids of needs(target, repository))
    for (const id of ids) {
      if (seen.get(id) !== null) continue;
      seen.set(id, THERE);
      const place = repository.placeOf(id);
      if (place === null) continue;
      const sum = sumOf(place.pack);
      weights.set(sum, { ...THERE, length: (weights.get(sum)?.length ?? 0) + place.length });
    }
  return (pack) => weights.get(sumOf(pack))?.length ?? 0;
}

/** Writes what is needed of nearly empty packs into new ones; false where there was nothing to do. */
async function gather(target: Target, repository: Repository, weightOf: (pack: string) => number): Promise<boolean> {
  const leaving = new Set<string>();
  for (const [name, size] of repository.packs()) {
    const weight = weightOf(name);
    if (leaving.size < MOST_MOVED && weight > 0 && weight < size * WORTH) leaving.add(name);
  }
  // A single one would only be written again as it is, small and alone.
  if (leaving.size < 2) return false;
  for await (const ids of needs(target, repository))
    for (const id of ids) {
      const place = repository.placeOf(id);
      if (place && leaving.has(place.pack)) await repository.move(id);
    }
  await repository.flush();
  return true;
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
  let weightOf = await weigh(target, repository);
  if (await gather(target, repository, weightOf)) weightOf = await weigh(target, repository);
  const condemned = await readCondemned(target, repository.keys.secret);
  const next = new Map<string, number>();
  const pruned: Pruned = { removed_packs: 0, removed_bytes: 0 };
  for (const [name, size] of repository.packs()) {
    const since = condemned.packs.get(name);
    if (weightOf(name) > 0) {
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
