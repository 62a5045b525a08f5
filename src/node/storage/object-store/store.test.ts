import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { storeSeal } from "../../../../tests/kit/store-seal.ts";
import { createLog } from "../../../kernel/log.ts";
import { createIds } from "../../../lib/ids.ts";
import { createObjectStore, type ObjectStore } from "./index.ts";
import type { Operation } from "./operations.ts";
import { openWriter } from "./writer.ts";

const text = new TextEncoder();
let folder: string;
let store: ObjectStore;
/** Bytes that the disk has left. */
let free = 1e12;
const ownSpace = async () => ({ total: 1e12, used: 1e12 - free, free, files: { used: 0, total: 0 } });
const clock = createFakeClock();
const ids = createIds(clock.now);

function openStore(): ObjectStore {
  const log = createLog(clock, "error", (line) => process.stderr.write(`${line}\n`));
  const config = { data_dir: folder };
  return createObjectStore({
    config,
    host: { ownSpace },
    clock,
    ids,
    log,
    signal: new AbortController().signal,
    seal: storeSeal,
  } as never);
}

beforeEach(() => {
  folder = makeScratch("store");
  store = openStore();
});
afterEach(async () => {
  await store.stop();
  rmSync(folder, { recursive: true, force: true });
});

const makeBucket = async (name = "photos"): Promise<string> => {
  const id = ids.next("bkt");
  await store.change({ kind: "makeBucket", id, name, visibility: "private", at: clock.now() });
  return id;
};

async function put(bucketId: string, name: string, bytes: Uint8Array, when = {}, etag = Bun.hash(bytes).toString(16)) {
  const incoming = await store.receive();
  for (let at = 0; at < bytes.length; at += 65_536) await incoming.add(bytes.subarray(at, at + 65_536));
  const blob = await incoming.finish();
  const key = text.encode(name);
  return await store.change({ kind: "put", bucketId, key, etag, facts: "{}", at: clock.now(), when, blob });
}

async function read(bucketId: string, name: string): Promise<Uint8Array | null> {
  const object = store.findObject(bucketId, text.encode(name));
  if (object === null) return null;
  const parts: Uint8Array[] = [];
  for await (const part of await store.open(object, { start: 0, length: object.size })) parts.push(part);
  return new Uint8Array(Buffer.concat(parts));
}

const bytesOf = (size: number, seed: number): Uint8Array =>
  Uint8Array.from({ length: size }, (_, index) => (index * 31 + seed * 17 + (index >> 8)) % 256);

const writerOptions = () => ({
  folder: join(folder, "objects"),
  at: "2026-01-01T00:00:00.000Z",
  startId: ids.next("blob"),
  key: storeSeal.deriveKey("object-store"),
});

function filesBelow(path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);
}

test("a store does as a map does, whatever is done to it, also when it is opened again", async () => {
  const SIZES = [0, 1, 1_000, 131_072, 131_073, 300_000];
  const step = fc.record({
    what: fc.constantFrom("put", "put", "put", "remove", "copy", "reopen", "tidy", "encrypt", "decrypt"),
    name: fc.constantFrom("a", "a/b", "a//", "ä", "b\u0001", "\uffff", "𝄞"),
    other: fc.constantFrom("a", "a/b", "c", "𝄞"),
    size: fc.constantFrom(...SIZES),
    seed: fc.nat(255),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const bucket = await makeBucket(`b${ids.next("x").toLowerCase()}`);
      const model = new Map<string, Uint8Array>();
      for (const { what, name, other, size, seed } of steps) {
        if (what === "put") {
          const bytes = bytesOf(size, seed);
          expect(await put(bucket, name, bytes)).toEqual({ refused: null, size });
          model.set(name, bytes);
        } else if (what === "remove") {
          const key = text.encode(name);
          const { refused } = await store.change({ kind: "remove", bucketId: bucket, key, when: {} });
          expect(refused).toBe(model.delete(name) ? null : "no_object");
        } else if (what === "copy") {
          const source = store.findObject(bucket, text.encode(name));
          const bytes = model.get(name);
          if (source === null || bytes === undefined) continue;
          const { etag, facts } = source;
          const from = { bucketId: bucket, key: source.key, etag };
          const to = { bucketId: bucket, key: text.encode(other), etag, facts, at: 1, when: {} };
          expect((await store.change({ kind: "copy", from, ...to })).refused).toBeNull();
          model.set(other, bytes);
        } else if (what === "encrypt" || what === "decrypt") {
          expect((await store.change({ kind: "setSealing", on: what === "encrypt" })).refused).toBeNull();
        } else if (what === "tidy") await store.tidy();
        else {
          await store.stop();
          store = openStore();
        }
      }
      for (const [name, bytes] of model)
        expect(Buffer.compare((await read(bucket, name)) ?? Buffer.alloc(0), bytes)).toBe(0);
      const order = [...model.keys()].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      const query = { prefix: new Uint8Array(), delimiter: new Uint8Array(), after: new Uint8Array(), limit: 1000 };
      expect((await store.list(bucket, query)).objects.map(({ key }) => new TextDecoder().decode(key))).toEqual(order);
      const row = store.listBuckets().find(({ id }) => id === bucket);
      expect([row?.object_count, row?.size_bytes]).toEqual([
        model.size,
        [...model.values()].reduce((sum, bytes) => sum + bytes.length, 0),
      ]);
      for (const name of model.keys())
        await store.change({ kind: "remove", bucketId: bucket, key: text.encode(name), when: {} });
      expect((await store.change({ kind: "removeBucket", id: bucket })).refused).toBeNull();
      await store.tidy();
      expect(filesBelow(join(folder, "objects", "blobs"))).toEqual([]);
    }),
    { numRuns: 16 },
  );
});

test("of many who make an object if there is none, one does", async () => {
  const bucket = await makeBucket();
  const tries = Array.from({ length: 64 }, (_, seed) => put(bucket, "one", bytesOf(100, seed), { isAbsent: true }));
  const outcomes = await Promise.all(tries);
  expect(outcomes.filter(({ refused }) => refused === null)).toHaveLength(1);
  expect(outcomes.filter(({ refused }) => refused === "precondition_failed")).toHaveLength(63);
});

test("of many who change what they have seen, one does", async () => {
  const bucket = await makeBucket();
  await put(bucket, "one", bytesOf(10, 0), {}, "etag-0");
  for (let round = 0; round < 5; round += 1) {
    const etag = store.findObject(bucket, text.encode("one"))?.etag ?? "";
    const tries = Array.from({ length: 16 }, (_, seed) =>
      put(bucket, "one", bytesOf(10, seed), { etag }, `etag-${round}-${seed}`),
    );
    expect((await Promise.all(tries)).filter(({ refused }) => refused === null)).toHaveLength(1);
  }
  expect((await put(bucket, "none", bytesOf(10, 0), { etag: "*" })).refused).toBe("no_object");
});

test("what lies below a delimiter is told once, and pages go on where the last one ended", async () => {
  const bucket = await makeBucket();
  const names = ["a", "a/1", "a/2", "a/3/x", "b", "b/1", "c//d", "c/e", "z"];
  for (const name of names) await put(bucket, name, bytesOf(1, 1));
  for (let index = 0; index < 150; index += 1)
    await put(bucket, `many/${String(index).padStart(3, "0")}`, bytesOf(1, 1));
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  const ask = async (prefix: string, limit: number): Promise<string[]> => {
    const found: string[] = [];
    let after = new Uint8Array();
    for (;;) {
      const query = { prefix: text.encode(prefix), delimiter: text.encode("/"), after, limit };
      const page = await store.list(bucket, query);
      const both = [...page.objects.map(({ key }) => key), ...page.prefixes].sort(Buffer.compare);
      found.push(...both.map(decode));
      if (page.next === null) return found;
      after = new Uint8Array(page.next);
    }
  };
  const top = ["a", "a/", "b", "b/", "c/", "many/", "z"];
  for (const limit of [1, 2, 3, 1000]) expect(await ask("", limit)).toEqual(top);
  for (const limit of [1, 2, 1000]) expect(await ask("a/", limit)).toEqual(["a/1", "a/2", "a/3/"]);
  expect(await ask("many/", 7)).toHaveLength(150);
  expect(await ask("c/", 5)).toEqual(["c//", "c/e"]);
});

test("a bucket with objects stays, and its name is free once it is gone", async () => {
  const bucket = await makeBucket();
  await put(bucket, "a", bytesOf(1, 1));
  expect((await store.change({ kind: "removeBucket", id: bucket })).refused).toBe("bucket_not_empty");
  const again = { kind: "makeBucket", id: "other", name: "photos", visibility: "private", at: 1 } as const;
  expect((await store.change(again)).refused).toBe("bucket_exists");
});

test("damaged bytes are not passed on as if they were whole", async () => {
  const bucket = await makeBucket();
  await put(bucket, "a", bytesOf(1_000, 1));
  await put(bucket, "large", bytesOf(200_000, 1));
  await store.stop();
  const segment = join(folder, "objects", "segments", "1.seg");
  const bytes = new Uint8Array(await Bun.file(segment).arrayBuffer());
  const at = Buffer.from(bytes).indexOf(bytesOf(1_000, 1)) + 500;
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(segment, bytes);
  store = openStore();
  expect(read(bucket, "a")).rejects.toThrow("is not what was stored");
  expect(Buffer.compare((await read(bucket, "large")) ?? Buffer.alloc(0), bytesOf(200_000, 1))).toBe(0);
});

test("segments that are mostly unused are brought together, and what lives in them stays", () => {
  const objects = join(folder, "objects");
  const writer = openWriter({ ...writerOptions(), fullBytes: 10_000 });
  const at = 1;
  writer.write([{ kind: "makeBucket", id: "b", name: "photos", visibility: "private", at }]);
  const keyOf = (index: number) => text.encode(String(index));
  for (let index = 0; index < 60; index += 1) {
    const bytes = bytesOf(1_000, index);
    const blob = { id: `blob_${index}`, size: 1_000, crc: Bun.hash.crc32(bytes), bytes, sealed: 0 };
    writer.write([{ kind: "put", bucketId: "b", key: keyOf(index), etag: "e", facts: "{}", at, when: {}, blob }]);
  }
  const before = filesBelow(join(objects, "segments")).length;
  for (let index = 0; index < 60; index += 1)
    if (index % 5 !== 0) writer.write([{ kind: "remove", bucketId: "b", key: keyOf(index), when: {} }]);
  while (writer.tidy());
  writer.close();
  expect(filesBelow(join(objects, "segments")).length).toBeLessThan(before / 2);
  store = openStore();
  return (async () => {
    for (let index = 0; index < 60; index += 5) expect(await read("b", String(index))).toEqual(bytesOf(1_000, index));
  })();
});

/** What a writer is told to store 1,000 bytes under a key. */
function putting(name: string, id: string): Operation {
  const bytes = bytesOf(1_000, 1);
  const blob = { id, size: 1_000, crc: Bun.hash.crc32(bytes), bytes, sealed: 0 };
  return { kind: "put", bucketId: "b", key: text.encode(name), etag: "e", facts: "{}", at: 1, when: {}, blob };
}

const removing = (name: string): Operation => ({ kind: "remove", bucketId: "b", key: text.encode(name), when: {} });
const BUCKET: Operation = { kind: "makeBucket", id: "b", name: "photos", visibility: "private", at: 1 };

test("what was to be done with a segment that is gone does nothing to the one that has its number after a start", async () => {
  let writer = openWriter(writerOptions());
  writer.write([BUCKET]);
  writer.write([putting("a", "blob_1")]);
  // The next segment has nothing yet, and all that the first one had is gone: its file would go with the next tidying, which never comes.
  writer.write([{ kind: "setSealing", on: true }]);
  writer.write([removing("a")]);
  const catalogue = new Database(join(folder, "objects/catalogue.db"));
  while (catalogue.query("SELECT 1 FROM segments").get() !== null) writer.tidy();
  expect(catalogue.query("SELECT path FROM garbage").all()).toHaveLength(1);
  catalogue.run("INSERT INTO dead_notes (segment, position) VALUES (1, 100)");
  catalogue.close();
  writer.close();
  writer = openWriter(writerOptions());
  writer.write([putting("a", "blob_2")]);
  while (writer.tidy());
  writer.close();
  expect(await read("b", "a")).toEqual(bytesOf(1_000, 1));
});

test("a change that the catalogue did not take is nowhere, also when the catalogue is made anew", () => {
  let writer = openWriter(writerOptions());
  writer.write([BUCKET]);
  writer.write([putting("a", "blob_1")]);
  const catalogue = new Database(join(folder, "objects/catalogue.db"));
  catalogue.run(`CREATE TRIGGER refusal BEFORE INSERT ON state WHEN NEW.name = 'seq'
    BEGIN SELECT RAISE(ABORT, 'the disk is broken'); END`);
  expect(() => writer.write([putting("a", "blob_2")])).toThrow("the disk is broken");
  catalogue.run("DROP TRIGGER refusal");
  catalogue.close();
  // Nobody knows what is on disk, so nothing is written until a start has looked.
  expect(() => writer.write([putting("c", "blob_3")])).toThrow("the disk is broken");
  writer.close();
  writer = openWriter(writerOptions());
  writer.write([putting("c", "blob_4")]);
  writer.write([removing("a")]);
  while (writer.tidy());
  writer.close();
  rmSync(join(folder, "objects/catalogue.db"));
  openWriter(writerOptions()).close();
  expect(store.listWhole("b", new Uint8Array(), 10).map(({ key }) => Buffer.from(key).toString())).toEqual(["c"]);
});

test("files that a crash left behind go at the next start, and what was never counted is cut off", async () => {
  const bucket = await makeBucket();
  await put(bucket, "a", bytesOf(1_000, 1));
  await store.stop();
  const objects = join(folder, "objects");
  const segment = join(objects, "segments", "1.seg");
  const { size } = statSync(segment);
  writeFileSync(segment, Buffer.concat([Buffer.from(await Bun.file(segment).arrayBuffer()), Buffer.alloc(500)]));
  mkdirSync(join(objects, "blobs", "ZZ"), { recursive: true });
  writeFileSync(join(objects, "blobs", "ZZ", "blob_00000000000000000000000ZZ"), "left over");
  writeFileSync(join(objects, "incoming", "blob_half"), "half");
  writeFileSync(join(objects, "segments", "9.seg"), "never counted");
  const writer = openWriter(writerOptions());
  expect(writer.problems).toEqual([]);
  writer.tidy();
  writer.close();
  expect(statSync(segment).size).toBe(size);
  expect(filesBelow(objects).filter((name) => /^blob_|9\.seg/.test(name))).toEqual([]);
  store = openStore();
  expect(await read(bucket, "a")).toEqual(bytesOf(1_000, 1));
});

test("what would fill the disk is refused before the node's own databases have no room, also on its way", async () => {
  const bucket = await makeBucket();
  const incoming = await store.receive();
  await incoming.add(bytesOf(100_000, 1));
  free = 1e9;
  await clock.advance(1_000);
  await expect(incoming.add(bytesOf(100_000, 2))).rejects.toMatchObject({ code: "disk_full" });
  await incoming.drop();
  await expect(store.receive()).rejects.toMatchObject({ code: "disk_full" });
  expect(filesBelow(join(folder, "objects", "incoming"))).toEqual([]);
  free = 2e9;
  await clock.advance(1_000);
  expect((await put(bucket, "a", bytesOf(1_000, 3))).refused).toBeNull();
});

test("what could not be opened for want of a disk is opened when that is there again, and not asked for all the time", async () => {
  writeFileSync(join(folder, "objects"), "in the way");
  const made = () =>
    makeBucket().then(
      () => "made",
      (error: { code?: string }) => error.code ?? String(error),
    );
  expect(await made()).toBe("objstore_store_unavailable");
  rmSync(join(folder, "objects"));
  expect(await made()).toBe("objstore_store_unavailable");
  expect(store.listBuckets()).toEqual([]);
  await clock.advance(1000);
  expect(await made()).toBe("made");
  expect(store.listBuckets().map(({ name }) => name)).toEqual(["photos"]);
});
