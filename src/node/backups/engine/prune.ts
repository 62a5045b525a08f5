import { days } from "../../../lib/duration.ts";
import { letGo } from "./chunk-work.ts";
import { DAMAGED, KEPT, readCondemned, writeCondemned } from "./condemned.ts";
import { ID_BYTES, readListBytes } from "./id-list.ts";
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

/** Numbers of chunks, a bit for each. */
function createNumberSet(count: number) {
  const bits = new Uint8Array(Math.ceil(count / 8));
  return {
    /** False where it is there already. */
    add(number: number): boolean {
      const [at, bit] = [number >> 3, 1 << (number & 7)];
      if (((bits[at] ?? 0) & bit) !== 0) return false;
      bits[at] = (bits[at] ?? 0) | bit;
      return true;
    },
  };
}

/**
 * Goes through all chunks that the backups at a target need, each once: its number, and where its id begins among others. Throws
 * `damaged` where that cannot be told: then nothing may go.
 */
async function forNeeded(
  target: Target,
  repository: Repository,
  visit: (chunk: number, ids: Buffer, at: number) => Promise<void> | null,
): Promise<void> {
  const { chunks } = repository;
  const seen = createNumberSet(chunks.count());
  const lists = createNumberSet(chunks.count());
  const see = async (ids: Buffer): Promise<void> => {
    for (let at = 0; at < ids.length; at += ID_BYTES) {
      const chunk = chunks.numberOf(ids, at);
      // One that is gone has no pack that could be kept for it.
      const work = chunk !== null && seen.add(chunk) ? visit(chunk, ids, at) : null;
      if (work !== null) await work;
    }
  };
  for (const id of await listSnapshots(target)) {
    const { parts } = await readSnapshot(target, repository, id);
    for (const { list } of parts)
      for (const listId of list) {
        const own = Buffer.from(listId, "hex");
        const number = chunks.numberOf(own, 0);
        if (number !== null && !lists.add(number)) continue;
        const ids = await readListBytes(repository, listId);
        await see(own);
        await see(ids);
        letGo(ids);
      }
  }
}

/** How many bytes are needed of each pack, by its number. */
async function weigh(target: Target, repository: Repository): Promise<Float64Array> {
  const { chunks, packs } = repository;
  const weights = new Float64Array(packs.count());
  await forNeeded(target, repository, (chunk) => {
    const pack = chunks.packOf(chunk);
    weights[pack] = (weights[pack] ?? 0) + chunks.lengthOf(chunk);
    return null;
  });
  return weights;
}

/** Writes what is needed of nearly empty packs into new ones; false where there was nothing to do. */
async function gather(target: Target, repository: Repository, weights: Float64Array): Promise<boolean> {
  const { chunks, packs } = repository;
  const leaving = new Set<number>();
  for (const [pack, weight] of weights.entries())
    if (leaving.size < MOST_MOVED && weight > 0 && weight < (packs.sizeOf(pack) ?? 0) * WORTH) leaving.add(pack);
  // A single one would only be written again as it is, small and alone.
  if (leaving.size < 2) return false;
  await forNeeded(target, repository, (chunk, ids, at) =>
    leaving.has(chunks.packOf(chunk)) ? repository.move(ids.toString("hex", at, at + ID_BYTES)) : null,
  );
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
  let weights = await weigh(target, repository);
  if (await gather(target, repository, weights)) weights = await weigh(target, repository);
  const pruned: Pruned = { removed_packs: 0, removed_bytes: 0 };
  const { keys, packs } = repository;
  const condemned = await readCondemned(target, keys.secret, packs);
  const { since } = condemned;
  for (const [pack, weight] of weights.entries()) {
    const size = packs.sizeOf(pack);
    const found = since[pack] ?? KEPT;
    const isTold = found !== KEPT && found !== DAMAGED;
    // One that is needed stays; damaged it stays told, until all that is needed of it lies elsewhere.
    if (size === null || weight > 0) since[pack] = size !== null && found === DAMAGED ? DAMAGED : KEPT;
    else if (!isTold) since[pack] = now;
    else if (now - found >= GRACE_MS) {
      await lease.hold();
      await target.remove(packs.nameOf(pack));
      since[pack] = KEPT;
      pruned.removed_packs += 1;
      pruned.removed_bytes += size;
    }
  }
  await lease.hold();
  await writeCondemned(target, keys.secret, packs, condemned);
  return pruned;
}
