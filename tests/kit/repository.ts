import { takeLease } from "../../src/node/backups/engine/lease.ts";
import { openRepository } from "../../src/node/backups/engine/repository.ts";
import {
  readSnapshot,
  readStream,
  type Snapshot,
  writeSnapshot,
  writeStream,
} from "../../src/node/backups/engine/snapshot.ts";
import type { Target } from "../../src/node/backups/engine/target.ts";

/** Numbers that look random and are the same each time. */
export function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export function randomBytes(random: () => number, length: number): Uint8Array {
  return Uint8Array.from({ length }, () => Math.floor(random() * 256));
}

/** A target that fails at its `count`-th question, as a power cut does: nothing after it arrives. */
export function failing(target: Target, count: number): Target {
  let left = count;
  const guard = () => {
    left -= 1;
    if (left < 0) throw new Error("power cut");
  };
  return {
    async write(name, bytes) {
      guard();
      await target.write(name, bytes);
    },
    async read(name, range) {
      guard();
      return await target.read(name, range);
    },
    async list(folder) {
      guard();
      return await target.list(folder);
    },
    async remove(name) {
      guard();
      await target.remove(name);
    },
    warnings: () => target.warnings(),
  };
}

export async function backUp(
  target: Target,
  key: Uint8Array,
  id: string,
  streams: Uint8Array[],
  now = 0,
  holder = id,
): Promise<number> {
  const lease = await takeLease(target, holder, () => now);
  const repository = await openRepository(target, key, lease);
  const parts: Snapshot["parts"] = [];
  let added = 0;
  for (const [index, bytes] of streams.entries()) {
    const writer = writeStream(repository);
    for (let at = 0; at < bytes.length; at += 60_000) await writer.write(bytes.subarray(at, at + 60_000));
    const written = await writer.end();
    added += written.added;
    parts.push({ kind: "volume", app: "app_1", name: `stream-${index}`, ...written.stream });
  }
  const node = { name: "atlas", version: "1" };
  await writeSnapshot(target, repository, lease, { version: 1, id, created_at: "now", node, apps: [], parts });
  await lease.release();
  return added;
}

export async function readAll(target: Target, key: Uint8Array, id: string): Promise<Uint8Array[]> {
  const repository = await openRepository(target, key, null);
  const { parts } = await readSnapshot(target, repository, id);
  return await Promise.all(
    parts.map(async (part) => Buffer.concat(await Array.fromAsync(readStream(repository, part)))),
  );
}

export const same = (left: readonly Uint8Array[], right: readonly Uint8Array[]): boolean =>
  left.length === right.length && left.every((bytes, index) => Buffer.from(bytes).equals(right[index] ?? Buffer.of(1)));

/** The number in a backup's id. */
export const seedOf = (id: string): number => Number(/^bak_(\d+)/.exec(id)?.[1]);

/** What a backup of that seed holds: a little of its own, and what it shares with its neighbours. */
export function streamsOf(seed: number): Uint8Array[] {
  return [randomBytes(makeRandom(seed), 20_000), randomBytes(makeRandom(Math.floor(seed / 3)), 60_000)];
}
