import { expect } from "bun:test";
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { closeDriveNode, openDriveNode } from "./drive-node.ts";
import type { MinioData } from "./fake-minio.ts";
import { madeBytes } from "./made-bytes.ts";

/** Bytes by `bucket/key`. */
export type Objects = ReadonlyMap<string, Uint8Array>;

/** Eight objects in two buckets. */
export function fillMinio(data: MinioData): Objects {
  const objects = new Map<string, Uint8Array>();
  for (const [bucket, count] of [
    ["photos", 5],
    ["texts", 3],
  ] as const) {
    data.makeBucket(bucket);
    for (let index = 0; index < count; index += 1) {
      const bytes = madeBytes(index, [10, 200_000, 4_096][index % 3] ?? 0);
      data.put(bucket, `key ${index}`, bytes);
      objects.set(`${bucket}/key ${index}`, bytes);
    }
  }
  return objects;
}

/** Makes what a MinIO has older than all that tests do: what changed lately is never removed. */
export function ageMinio(folder: string): void {
  const old = new Date(Date.UTC(2025, 0, 1));
  for (const path of new Bun.Glob("**/*").scanSync({ cwd: folder, dot: true }))
    utimesSync(join(folder, path), old, old);
}

/** All of the buckets are seen with all that is in them, or none is. */
export async function lookAtMoved(
  folder: string,
  round: number,
  objects: Objects,
  mustBeThere: boolean,
): Promise<void> {
  const node = openDriveNode(folder, round);
  const { objectStore } = node.ctx;
  const buckets = objectStore.listBuckets();
  expect([0, 2]).toContain(buckets.length);
  if (mustBeThere) expect([buckets.length, objectStore.listHidden()]).toEqual([2, []]);
  for (const [path, bytes] of buckets.length === 0 ? [] : objects) {
    const [bucket = "", key = ""] = path.split("/");
    const id = buckets.find(({ name }) => name === bucket)?.id ?? "";
    const object = objectStore.findObject(id, new TextEncoder().encode(key));
    if (object === null) throw new Error(`${path} is lost`);
    const pieces: Uint8Array[] = [];
    for await (const piece of await objectStore.open(object, { start: 0, length: object.size })) pieces.push(piece);
    expect([path, Buffer.concat(pieces).equals(bytes)]).toEqual([path, true]);
  }
  const counted = buckets.map(({ object_count }) => object_count);
  expect(counted).toEqual(buckets.length === 0 ? [] : [5, 3]);
  await closeDriveNode(node);
}
