import { sha256Hex } from "../../../lib/digest.ts";
import { EngineFailure } from "./failure.ts";
import { readListIds } from "./id-list.ts";
import type { Repository } from "./repository.ts";
import { listSnapshots, readSnapshot } from "./snapshot.ts";
import type { Target } from "./target.ts";

/** What reading a share of a repository found. */
export interface CheckedShare {
  packs: number;
  bytes: number;
  /** Packs that are not what they were. */
  damaged: string[];
  /** Ids of the backups that need something of them. */
  affected: string[];
}

/** Whether a pack is of one of so many shares: by the beginning of its name, which is random. */
const isOf = (name: string, share: number, of: number): boolean =>
  Number.parseInt(name.slice(name.lastIndexOf("/") + 1).slice(0, 8), 16) % of === share;

async function isWhole(target: Target, name: string): Promise<boolean> {
  try {
    return name.endsWith(sha256Hex(await target.read(name)));
  } catch (error) {
    if (error instanceof EngineFailure && error.code === "target_missing") return false;
    throw error;
  }
}

/** Whether a backup needs a chunk that is gone or lies in one of these packs. */
async function needsAny(target: Target, repository: Repository, id: string, damaged: ReadonlySet<string>) {
  const isLost = (chunk: string): boolean => {
    const place = repository.placeOf(chunk);
    return place === null || damaged.has(place.pack);
  };
  try {
    for (const { list } of (await readSnapshot(target, repository, id)).parts)
      for (const listId of list)
        if (isLost(listId) || (await readListIds(repository, listId)).some(isLost)) return true;
    return false;
  } catch (error) {
    if (error instanceof EngineFailure && error.code === "damaged") return true;
    throw error;
  }
}

/** Reads one of `of` shares of all packs and compares each with its name, so that in as many days all that lies there was read. */
export async function checkShare(
  target: Target,
  repository: Repository,
  share: number,
  of: number,
): Promise<CheckedShare> {
  const found: CheckedShare = { packs: 0, bytes: 0, damaged: [], affected: [] };
  for (const { name, size } of await target.list("packs")) {
    if (!isOf(name, share, of)) continue;
    found.packs += 1;
    found.bytes += size;
    if (!(await isWhole(target, name))) found.damaged.push(name);
  }
  if (found.damaged.length === 0) return found;
  const damaged = new Set(found.damaged);
  for (const id of await listSnapshots(target))
    if (await needsAny(target, repository, id, damaged)) found.affected.push(id);
  return found;
}
