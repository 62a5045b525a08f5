import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { storeSeal } from "../../../../tests/kit/store-seal.ts";
import { until } from "../../../../tests/kit/until.ts";
import { migrate } from "../../../kernel/db/migrate.ts";
import { createLog } from "../../../kernel/log.ts";
import { createIds } from "../../../lib/ids.ts";
import { catalogueMigrations } from "./catalogue-migrations.ts";
import { createHeldFiles } from "./held-files.ts";
import { createObjectStore, type ObjectStore } from "./index.ts";

const PARTS = 5;
const PART_BYTES = 5 * 1024 * 1024;
const key = new TextEncoder().encode("film");
const clock = createFakeClock();
const ids = createIds(clock.now);
let folder: string;
let store: ObjectStore;

/** An object of many parts, each in a file of its own. */
async function putInParts(bucketId: string, fill: number) {
  const uploadId = ids.next("upl");
  await store.change({ kind: "beginUpload", id: uploadId, bucketId, key, facts: "{}", at: clock.now() });
  for (let number = 1; number <= PARTS; number += 1) {
    const incoming = await store.receive();
    await incoming.add(new Uint8Array(PART_BYTES).fill(fill + number));
    const blob = await incoming.finish();
    await store.change({ kind: "putPart", uploadId, number, etag: `${number}`, at: clock.now(), blob });
  }
  const parts = Array.from({ length: PARTS }, (_, index) => ({ number: index + 1, etag: `${index + 1}` }));
  const object = { bucketId, key, etag: `${fill}`, facts: "{}", at: clock.now(), when: {} };
  await store.change({ kind: "completeUpload", uploadId, parts, object });
  const found = store.findObject(bucketId, key);
  if (found === null) throw new Error("it is not there");
  return found;
}

const blobsFolder = () => join(folder, "objects", "blobs");
const filesThere = () =>
  readdirSync(blobsFolder(), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;
const filesOpen = () =>
  readdirSync("/proc/self/fd").filter((fd) => {
    const path = `/proc/self/fd/${fd}`;
    return existsSync(path) && readlinkSync(path).startsWith(blobsFolder());
  }).length;

beforeEach(async () => {
  folder = makeScratch("held");
  const log = createLog(clock, "error", (line) => process.stderr.write(`${line}\n`));
  const ownSpace = async () => ({ total: 1e12, used: 0, free: 1e12, files: { used: 0, total: 0 } });
  const signal = new AbortController().signal;
  store = createObjectStore({
    ...{ config: { data_dir: folder }, host: { ownSpace }, clock, ids, log, signal, seal: storeSeal },
  } as never);
  await store.change({ kind: "makeBucket", id: "bkt", name: "films", visibility: "private", at: clock.now() });
});
afterEach(async () => {
  await store.stop();
  rmSync(folder, { recursive: true, force: true });
});

test("however many parts an object has, whoever reads it has one file open", async () => {
  const object = await putInParts("bkt", 0);
  const readers = await Promise.all(
    Array.from({ length: 5 }, () => store.open(object, { start: 0, length: object.size })),
  );
  for (const reader of readers) await reader.next();
  expect(filesOpen()).toBe(5);
  for await (const _ of readers[0] ?? []) expect(filesOpen()).toBeLessThanOrEqual(5);
  for (const reader of readers) await reader.return();
  // The system is told to close them; a thread of the runtime does it.
  await until(() => filesOpen() === 0, { what: "the files to be closed" });
});

test("what is replaced or removed while somebody reads it is read to its end, and then goes", async () => {
  const object = await putInParts("bkt", 0);
  const [slow, never] = [
    await store.open(object, { start: PART_BYTES - 1, length: object.size - PART_BYTES + 1 }),
    await store.open(object, { start: 0, length: 1 }),
  ];
  const first = await slow.next();
  await putInParts("bkt", 100);
  await store.tidy();
  expect(filesThere()).toBe(2 * PARTS);
  const bytes = [first.value ?? new Uint8Array()];
  for await (const piece of slow) bytes.push(piece);
  const read = Buffer.concat(bytes);
  expect([read.length, read[0], read[1], read.at(-1)]).toEqual([object.size - PART_BYTES + 1, 1, 2, PARTS]);
  await never.return();
  await store.tidy();
  expect(filesThere()).toBe(PARTS);
  await store.change({ kind: "remove", bucketId: "bkt", key, when: {} });
  await store.tidy();
  expect(filesThere()).toBe(0);
});

test("what is written anew while somebody reads a part of it is read whole by everybody", async () => {
  const object = await putInParts("bkt", 0);
  const slow = await store.open(object, { start: 0, length: 2 * PART_BYTES });
  await slow.next();
  await store.change({ kind: "setSealing", on: true });
  await store.tidy();
  expect(store.sealing().isDone).toBe(true);
  for (let round = 0; round < 2; round += 1) {
    let length = 0;
    for await (const piece of await store.open(object, { start: 0, length: object.size })) length += piece.length;
    expect(length).toBe(object.size);
    for await (const _ of slow);
    await store.tidy();
  }
  expect(filesThere()).toBe(PARTS);
});

test("what somebody reads keeps nothing else that is to go", async () => {
  const object = await putInParts("bkt", 0);
  const reader = await store.open(object, { start: 0, length: object.size });
  await putInParts("bkt", 60);
  await putInParts("bkt", 120);
  await store.tidy();
  expect(filesThere()).toBe(2 * PARTS);
  await reader.return();
  await store.tidy();
  expect(filesThere()).toBe(PARTS);
});

/** A catalogue of so many large blobs, and the list of an object that has them all. */
function catalogueOf(count: number): { db: Database; blobs: string } {
  const db = new Database(":memory:");
  migrate(db, catalogueMigrations, "2026-01-01T00:00:00.000Z", () => {});
  const names = Array.from({ length: count }, (_, index) => `blob_${index}`);
  const add = db.query("INSERT INTO blobs (id, position, size, record, crc, refs) VALUES (?, 0, 10, 0, 0, 1)");
  for (const name of names) add.run(name);
  return { db, blobs: JSON.stringify(names) };
}

const ALL = { start: 0, length: 12_000 };

test("what many pieces lie in is looked up once while nothing moves, and held whenever somebody reads", async () => {
  const { db, blobs } = catalogueOf(1_200);
  const files = createHeldFiles();
  const [one, other] = await Promise.all([files.take(db, blobs, ALL), files.take(db, blobs, ALL)]);
  expect(one.places).toBe(other.places);
  expect([one.places.count, one.places.blob(1_199).id]).toEqual([1_200, "blob_1199"]);
  one.release();
  one.release();
  expect(files.isHeld("/x/blob_1199")).toBe(true);
  other.release();
  expect([files.isHeld("/x/blob_0"), files.isHeld("/x/blob_1199")]).toEqual([false, false]);
  const again = await files.take(db, blobs, ALL);
  expect(again.places).toBe(one.places);
  expect([files.isHeld("/x/blob_0"), files.isHeld("/x/blob_1199")]).toEqual([true, true]);
  // Some were moved: whoever comes looks anew, and who reads holds what they know.
  files.forget();
  const later = await files.take(db, blobs, ALL);
  expect(later.places).not.toBe(one.places);
  again.release();
  expect(files.isHeld("/x/blob_7")).toBe(true);
  later.release();
  expect(files.isHeld("/x/blob_7")).toBe(false);
});

test("where things lied that nobody reads is forgotten when some may move, and a list of a few pieces at once", async () => {
  const { db, blobs } = catalogueOf(40);
  const files = createHeldFiles();
  const first = await files.take(db, blobs, ALL);
  first.release();
  files.forget();
  const second = await files.take(db, blobs, ALL);
  expect(second.places).not.toBe(first.places);
  const few = JSON.stringify(["blob_1"]);
  const small = await files.take(db, few, ALL);
  second.release();
  expect(files.isHeld("blob_1")).toBe(true);
  small.release();
  expect(files.isHeld("blob_1")).toBe(false);
  expect((await files.take(db, few, ALL)).places).not.toBe(small.places);
});

test("a range holds what it touches, and nothing besides once all is found", async () => {
  const { db, blobs } = catalogueOf(1_200);
  const files = createHeldFiles();
  const [middle, none] = await Promise.all([
    files.take(db, blobs, { start: 25, length: 10 }),
    files.take(db, blobs, { start: 0, length: 0 }),
  ]);
  expect(middle.first).toEqual({ index: 2, skip: 5 });
  const heldNow = () => Array.from({ length: 1_200 }, (_, at) => `blob_${at}`).filter((name) => files.isHeld(name));
  expect(heldNow()).toEqual(["blob_2", "blob_3"]);
  none.release();
  middle.release();
  expect(heldNow()).toEqual([]);
});

test("a blob that is not in the catalogue is a piece of nothing", async () => {
  const { db } = catalogueOf(1);
  const { places } = await createHeldFiles().take(db, JSON.stringify(["blob_0", "blob_gone"]), ALL);
  expect([places.sizeOf(0), places.sizeOf(1)]).toEqual([10, 0]);
});
