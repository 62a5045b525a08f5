import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { madeBytes } from "../../../../tests/kit/made-bytes.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { storeSeal } from "../../../../tests/kit/store-seal.ts";
import { createLog } from "../../../kernel/log.ts";
import { createIds } from "../../../lib/ids.ts";
import { createObjectStore, type ObjectStore } from "./index.ts";
import { findFlippedBit } from "./mend.ts";

let folder: string;
let store: ObjectStore;
const clock = createFakeClock();
const ids = createIds(clock.now);
const text = new TextEncoder();

beforeEach(async () => {
  folder = makeScratch("check");
  const log = createLog(clock, "error", (line) => process.stderr.write(`${line}\n`));
  const host = { ownSpace: async () => null };
  const signal = new AbortController().signal;
  store = createObjectStore({ config: { data_dir: folder }, host, clock, ids, log, signal, seal: storeSeal } as never);
  await store.change({ kind: "makeBucket", id: "b", name: "photos", visibility: "private", at: 1 });
});
afterEach(async () => {
  await store.stop();
  rmSync(folder, { recursive: true, force: true });
});

const md5 = (bytes: Uint8Array) => new Bun.CryptoHasher("md5").update(bytes).digest("hex");

async function put(name: string, seed: number, size: number, etag = md5(madeBytes(seed, size))) {
  const incoming = await store.receive();
  await incoming.add(madeBytes(seed, size));
  const blob = await incoming.finish();
  await store.change({ kind: "put", bucketId: "b", key: text.encode(name), etag, facts: "{}", at: 1, when: {}, blob });
}

/** Changes bytes on disk, behind the back of the store. */
function damage(bytes: Uint8Array, change: (file: Buffer, at: number) => void): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || /catalogue/.test(entry.name)) continue;
    const file = readFileSync(path);
    const at = file.indexOf(bytes.subarray(0, 64));
    if (at === -1) continue;
    change(file, at);
    writeFileSync(path, file);
  }
}
const flipBit = (file: Buffer, at: number) => void file.writeUInt8(file.readUInt8(at + 300) ^ 4, at + 300);
const spoil = (file: Buffer, at: number) => void file.fill(0, at + 100, at + 200);

async function readsWell(name: string): Promise<boolean> {
  const object = store.findObject("b", text.encode(name));
  if (object === null) return false;
  try {
    for await (const _ of await store.open(object, { start: 0, length: object.size }));
    return true;
  } catch {
    return false;
  }
}

test("a flipped bit is found and put right, in a segment and in a file", async () => {
  await put("small", 1, 1_000);
  await put("large", 2, 300_000);
  for (const [seed, size] of [
    [1, 1_000],
    [2, 300_000],
  ] as const)
    damage(madeBytes(seed, size), flipBit);
  expect([await readsWell("small"), await readsWell("large")]).toEqual([false, false]);
  const small = store.findObject("b", text.encode("small"));
  await expect(small === null ? null : store.readSmall(small)).rejects.toThrow("not what was stored");
  const { mended, found, state } = await store.check(1e9);
  expect([mended.toSorted(), found]).toEqual([["photos/large", "photos/small"], []]);
  expect(state).toMatchObject({ finishedAt: clock.now(), checkedBytes: 301_000, totalBytes: 301_000, mended: 2 });
  expect([await readsWell("small"), await readsWell("large")]).toEqual([true, true]);
});

test("what cannot be put right is named once, stays named, and is forgotten with the object", async () => {
  await put("good", 1, 1_000);
  await put("bad", 2, 1_000);
  await put("in parts", 3, 1_000, "0123-2");
  damage(madeBytes(2, 1_000), spoil);
  damage(madeBytes(3, 1_000), flipBit);
  const first = await store.check(1e9);
  expect(first.found.map(({ objects }) => objects).toSorted()).toEqual([["photos/bad"], ["photos/in parts"]]);
  expect((await store.check(1e9)).found).toEqual([]);
  expect(store.checkState()?.damaged).toBe(2);
  await put("bad", 4, 1_000);
  expect(store.checkState()?.damage.map(({ objects }) => objects)).toEqual(['["photos/in parts"]']);
  await store.change({ kind: "remove", bucketId: "b", key: text.encode("in parts"), when: {} });
  expect(store.checkState()?.damaged).toBe(0);
});

test("a round goes on in steps, and a new one begins after its end", async () => {
  for (let seed = 0; seed < 10; seed += 1) await put(`k${seed}`, seed, 1_000);
  const sizes: number[] = [];
  for (let step = 0; step < 4; step += 1) sizes.push((await store.check(4_000)).state.checkedBytes);
  expect(sizes).toEqual([4_000, 8_000, 10_000, 4_000]);
});

test("a flipped bit is found wherever it is", () => {
  const bytes = madeBytes(5, 2_000);
  const crc = Bun.hash.crc32(bytes);
  for (const [offset, bit] of [
    [0, 0],
    [0, 7],
    [1_999, 0],
    [1_999, 7],
    [777, 3],
  ] as const) {
    const damaged = Uint8Array.from(bytes);
    damaged[offset] = (bytes[offset] ?? 0) ^ (1 << bit);
    expect(findFlippedBit(damaged, crc)).toEqual({ offset, value: bytes[offset] ?? 0 });
  }
  const worse = Uint8Array.from(bytes).fill(9, 10, 30);
  expect(findFlippedBit(worse, crc)).toBeNull();
});
