import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { madeBytes } from "../../../../tests/kit/made-bytes.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { storeSeal } from "../../../../tests/kit/store-seal.ts";
import { until } from "../../../../tests/kit/until.ts";
import { createLog } from "../../../kernel/log.ts";
import { createIds } from "../../../lib/ids.ts";
import { createObjectStore, type ObjectStore } from "./index.ts";
import { createRebuildCommand } from "./rebuild-command.ts";

let folder: string;
let store: ObjectStore;
const said: string[] = [];
const clock = createFakeClock();
const ids = createIds(clock.now);
const text = new TextEncoder();

function openStore(seal = storeSeal): ObjectStore {
  const log = createLog(clock, "error", (line) => void said.push(line));
  const host = { ownSpace: async () => null };
  const signal = new AbortController().signal;
  return createObjectStore({ config: { data_dir: folder }, host, clock, ids, log, signal, seal } as never);
}

beforeEach(() => {
  folder = makeScratch("rebuild");
  said.length = 0;
  store = openStore();
});
afterEach(async () => {
  await store.stop();
  rmSync(folder, { recursive: true, force: true });
});

const place = (name: string) => join(folder, "objects", name);

async function put(bucketId: string, name: string, seed: number, size: number, facts = "{}") {
  const incoming = await store.receive();
  await incoming.add(madeBytes(seed, size));
  const blob = await incoming.finish();
  const key = text.encode(name);
  return await store.change({ kind: "put", bucketId, key, etag: `${seed}`, facts, at: seed, when: {}, blob });
}

async function makeStore() {
  const at = 1;
  for (const name of ["photos", "gone"])
    await store.change({ kind: "makeBucket", id: `b-${name}`, name, visibility: "private", at });
  await store.change({
    kind: "setBucket",
    id: "b-photos",
    set: { visibility: "public", website: "{}", tags: '{"a":"b"}' },
  });
  for (let seed = 0; seed < 30; seed += 1) await put("b-photos", `k${seed % 12}`, seed, seed % 3 === 0 ? 200_000 : 500);
  await put("b-gone", "x", 99, 10);
  await store.change({ kind: "remove", bucketId: "b-gone", key: text.encode("x"), when: {} });
  await store.change({ kind: "removeBucket", id: "b-gone" });
  const object = { bucketId: "b-photos", etag: "29", facts: '{"a":1}', at: 50, when: {} };
  const from = { bucketId: "b-photos", key: text.encode("k5"), etag: "29" };
  await store.change({ kind: "copy", from, key: text.encode("copy"), ...object });
  for (const name of ["k5", "k7"])
    await store.change({ kind: "remove", bucketId: "b-photos", key: text.encode(name), when: {} });
  await store.change({ kind: "setFacts", bucketId: "b-photos", key: text.encode("k1"), etag: "25", facts: '{"b":2}' });
  const key = text.encode("parts");
  await store.change({ kind: "beginUpload", id: "u", bucketId: "b-photos", key, facts: "{}", at });
  const incoming = await store.receive();
  await incoming.add(madeBytes(7, 300_000));
  const blob = await incoming.finish();
  await store.change({ kind: "putPart", uploadId: "u", number: 1, etag: "p", at, blob });
  const parts = [{ number: 1, etag: "p" }];
  const whole = { bucketId: "b-photos", key, etag: "p-1", facts: "{}", at, when: {} };
  await store.change({ kind: "completeUpload", uploadId: "u", parts, object: whole });
  await store.tidy();
}

/** All that a store holds, with the bytes of each object as a sum. */
async function contentsOf(of: ObjectStore) {
  const buckets = of.listBuckets();
  const objects: unknown[] = [];
  for (const { id } of buckets)
    for (const { blobs, ...row } of of.listWhole(id, new Uint8Array(), 1_000)) {
      const sum = new Bun.CryptoHasher("sha256");
      for await (const part of await of.open({ blobs }, { start: 0, length: row.size })) sum.update(part);
      objects.push({ ...row, key: Buffer.from(row.key).toString(), sum: sum.digest("hex") });
    }
  return { buckets, objects };
}

async function reopened(): Promise<ObjectStore> {
  store = openStore();
  void store.start?.();
  await store.tidy();
  return store;
}

test("without its catalogue a store is as it was, from the segments alone", async () => {
  await makeStore();
  const before = await contentsOf(store);
  expect(before.objects).toHaveLength(12);
  await store.stop();
  for (const end of ["", "-wal", "-shm"]) rmSync(place(`catalogue.db${end}`), { force: true });
  expect(await contentsOf(await reopened())).toEqual(before);
  expect(said.join()).toContain("12 objects are there");
  // What is stored from then on counts as later, and survives the next loss too.
  await put("b-photos", "k1", 60, 100);
  const after = await contentsOf(store);
  await store.stop();
  rmSync(place("catalogue.db"));
  expect(await contentsOf(await reopened())).toEqual(after);
});

test("while a lost catalogue is read anew nobody is told that there is nothing", async () => {
  await makeStore();
  await store.stop();
  rmSync(place("catalogue.db"));
  store = openStore();
  expect(() => store.listBuckets()).toThrow("read anew");
  await until(() => existsSync(place("catalogue.db")), { what: "the catalogue" });
  await store.tidy();
  expect(store.listBuckets()).toHaveLength(1);
});

test("a catalogue that is damaged is named with what to do, and that does it; the old one stays", async () => {
  await makeStore();
  const before = await contentsOf(store);
  await store.stop();
  writeFileSync(place("catalogue.db"), "no database at all".repeat(100));
  store = openStore();
  expect(() => store.listBuckets()).toThrow("orrery-node rebuild-objects");
  await store.stop();
  const lines: string[] = [];
  const opened = { readHost: () => ({ config: { data_dir: folder } }) };
  const command = createRebuildCommand({ option: {}, open: async (_, use) => await use(opened) });
  expect(await command.run({ text: () => undefined, flag: () => false }, (line) => void lines.push(line))).toBe(0);
  expect(lines.join()).toContain("Restart it");
  expect(await contentsOf(await reopened())).toEqual(before);
  expect(readdirSync(place(".")).filter((name) => /^catalogue\.db\.\d/.test(name))).toHaveLength(1);
});

test("damage in a segment costs what lies there and nothing else, and names without their list are made up", async () => {
  await makeStore();
  const before = await contentsOf(store);
  await store.stop();
  const segment = place("segments/1.seg");
  const bytes = readFileSync(segment);
  // The head of one record becomes unreadable: the note of the last object.
  const at = bytes.lastIndexOf("ORS1");
  bytes.fill(0xee, at, at + 10);
  writeFileSync(segment, bytes);
  rmSync(place("catalogue.db"));
  rmSync(place("buckets.json"));
  const { buckets, objects } = await contentsOf(await reopened());
  expect(buckets.map(({ name, visibility }) => [name, visibility])).toEqual([["recovered-1", "private"]]);
  expect(objects).toHaveLength(before.objects.length - 1);
  expect(said.join()).toContain("1 places in the segments could not be read");
  // Its bytes are there, and nobody threw them away.
  expect(readdirSync(place("unclaimed")).length).toBeGreaterThan(0);
});

test("a record that a crash cut off takes nothing with it that comes after, and what was written over does not come back", async () => {
  await makeStore();
  await store.stop();
  const segment = place("segments/1.seg");
  const head = JSON.stringify({ id: "blob_torn", crc: 1 });
  const sizes = Buffer.alloc(12);
  sizes.writeUInt32LE(head.length, 0);
  sizes.writeUInt32LE(100_000, 4);
  sizes.writeUInt32LE(Bun.hash.crc32(head), 8);
  writeFileSync(segment, Buffer.concat([readFileSync(segment), Buffer.from("ORS1"), sizes, Buffer.from(head)]));
  for (let round = 0; round < 2; round += 1) {
    rmSync(place("catalogue.db"));
    await reopened();
    for (let seed = 100; seed < 400; seed += 1) await put("b-photos", `k${seed % 30}`, seed, 1_000);
    for (const name of ["k1", "k2"])
      await store.change({ kind: "remove", bucketId: "b-photos", key: text.encode(name), when: {} });
    await store.tidy();
    const before = await contentsOf(store);
    await store.stop();
    rmSync(place("catalogue.db"));
    expect(await contentsOf(await reopened())).toEqual(before);
    await store.stop();
  }
});

test("objects whose bytes are gone are named, and not shown as if they were there", async () => {
  await makeStore();
  await store.stop();
  for (const name of readdirSync(place("blobs"), { recursive: true, withFileTypes: true }))
    if (name.isFile()) rmSync(join(name.parentPath, name.name));
  rmSync(place("catalogue.db"));
  await reopened();
  expect(said.join()).toContain("photos/parts");
  expect(store.findObject("b-photos", text.encode("parts"))).toBeNull();
  expect(store.findObject("b-photos", text.encode("copy"))).not.toBeNull();
});
