import { afterEach, beforeEach, expect, test } from "bun:test";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { storeSeal } from "../../../../tests/kit/store-seal.ts";
import { createLog } from "../../../kernel/log.ts";
import { createSeal } from "../../../kernel/seal.ts";
import { createIds } from "../../../lib/ids.ts";
import { createObjectStore, layoutOf, type ObjectStore } from "./index.ts";
import { openWriter } from "./writer.ts";

let folder: string;
let store: ObjectStore;
let free = 1e12;
const said: string[] = [];
const clock = createFakeClock();
const ids = createIds(clock.now);
const text = new TextEncoder();
const MARKER = "these words must not be read on the disk ";

function openStore(seal = storeSeal): ObjectStore {
  const log = createLog(clock, "error", (line) => void said.push(line));
  const host = { ownSpace: async () => ({ total: 1e12, used: 0, free, files: { used: 0, total: 0 } }) };
  const signal = new AbortController().signal;
  return createObjectStore({ config: { data_dir: folder }, host, clock, ids, log, signal, seal } as never);
}

beforeEach(async () => {
  folder = makeScratch("sealing");
  said.length = 0;
  free = 1e12;
  store = openStore();
  await store.change({ kind: "makeBucket", id: "b", name: "photos", visibility: "private", at: 1 });
});
afterEach(async () => {
  await store.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Bytes that can be found again. */
const wordsOf = (name: string, size: number): Buffer => Buffer.alloc(size, `${name}: ${MARKER}`);
const md5 = (bytes: Uint8Array) => new Bun.CryptoHasher("md5").update(bytes).digest("hex");
const SIZES: Record<string, number> = { small: 900, frame: 65_536, packed: 131_072, large: 300_000, many: 1_500_001 };
const place = (name: string) => join(folder, "objects", name);

async function receive(bytes: Uint8Array) {
  const incoming = await store.receive();
  for (let at = 0; at < bytes.length; at += 50_000) await incoming.add(bytes.subarray(at, at + 50_000));
  return await incoming.finish();
}

async function put(name: string, bytes: Uint8Array = wordsOf(name, SIZES[name] ?? 0)) {
  const blob = await receive(bytes);
  const key = text.encode(name);
  await store.change({ kind: "put", bucketId: "b", key, etag: md5(bytes), facts: "{}", at: 1, when: {}, blob });
}

const putAll = async () => {
  for (const name of Object.keys(SIZES)) await put(name);
};
const encrypt = (on = true) => store.change({ kind: "setSealing", on });

async function read(name: string, start = 0, length?: number): Promise<Buffer> {
  const object = store.findObject("b", text.encode(name));
  if (object === null) throw new Error(`${name} is not there`);
  const parts: Uint8Array[] = [];
  const range = { start, length: length ?? object.size - start };
  if (length === undefined) {
    const whole = await store.readSmall(object);
    if (whole !== null) return Buffer.from(whole);
  }
  for await (const part of await store.open(object, range)) parts.push(part);
  return Buffer.concat(parts);
}

async function expectWhole(names = Object.keys(SIZES)) {
  for (const name of names) {
    const bytes = wordsOf(name, SIZES[name] ?? 0);
    expect((await read(name)).equals(bytes)).toBe(true);
    const [start, length] = [Math.floor(bytes.length / 3), Math.floor(bytes.length / 2)];
    expect((await read(name, start, length)).equals(bytes.subarray(start, start + length))).toBe(true);
  }
}

/** Files of the store in which words of an object can be read. */
const showing = (): string[] =>
  readdirSync(join(folder, "objects"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(MARKER))
    .map(({ name }) => name);

/** All files that hold bytes of objects. */
const stored = (): string[] =>
  ["segments", "blobs"].flatMap((kind) =>
    readdirSync(place(kind), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );

function damage(path: string, at: number, change: (byte: number) => number): void {
  const bytes = readFileSync(path);
  bytes[at] = change(bytes[at] ?? 0);
  writeFileSync(path, bytes);
}

function spoilAt(path: string, ...places: number[]): void {
  for (const at of places) damage(path, at, (byte) => byte ^ 255);
}

test("what is written with encryption on is nowhere on the disk as it is, not even on its way", async () => {
  await encrypt();
  await putAll();
  const incoming = await store.receive();
  await incoming.add(wordsOf("half", 2_000_000));
  expect(showing()).toEqual([]);
  await incoming.drop();
  await store.change({ kind: "beginUpload", id: "u", bucketId: "b", key: text.encode("p"), facts: "{}", at: 1 });
  const blob = await receive(wordsOf("part", 200_000));
  await store.change({ kind: "putPart", uploadId: "u", number: 1, etag: "p", at: 1, blob });
  const from = { bucketId: "b", key: text.encode("large"), etag: md5(wordsOf("large", 300_000)) };
  const to = { bucketId: "b", key: text.encode("copy"), etag: from.etag, facts: "{}", at: 1, when: {} };
  await store.change({ kind: "copy", from, ...to });
  await store.change({ kind: "remove", bucketId: "b", key: text.encode("small"), when: {} });
  await put("small");
  await store.tidy();
  expect(showing()).toEqual([]);
  await expectWhole();
  expect((await read("copy")).equals(wordsOf("large", 300_000))).toBe(true);
  // Names of objects are in the catalogue alone.
  expect(stored().filter((path) => readFileSync(path).includes(Buffer.from("small").toString("hex")))).toEqual([]);
});

test("what was there before follows, there and back, and what came in between is found too", async () => {
  await putAll();
  const early = await receive(wordsOf("early", 400_000));
  await encrypt();
  expect(store.sealing()).toMatchObject({ on: true, isDone: false, left: 1_997_509, total: 1_997_509 });
  await store.tidy();
  expect([showing(), store.sealing().isDone, store.sealing().left]).toEqual([[early.id], true, 0]);
  // It began to come before.
  const key = text.encode("early");
  await store.change({ kind: "put", bucketId: "b", key, etag: "e", facts: "{}", at: 1, when: {}, blob: early });
  expect(store.sealing().isDone).toBe(false);
  await store.tidy();
  expect([showing(), store.sealing().isDone]).toEqual([[], true]);
  await expectWhole();
  await store.stop();
  store = openStore();
  await encrypt(false);
  await put("small");
  await expectWhole();
  await store.tidy();
  expect(store.sealing()).toMatchObject({ on: false, isDone: true });
  expect(stored().filter((path) => path.endsWith(".sealed"))).toEqual([]);
  expect(showing().length).toBe(stored().length);
  await expectWhole();
});

test("cut off while it is being encrypted it goes on with the next start, without room it waits", async () => {
  await putAll();
  await encrypt();
  await store.stop();
  const copy = makeScratch("sealing-cut");
  const options = { at: "2026-01-01T00:00:00.000Z", key: storeSeal.deriveKey("object-store") };
  // Every step of the work is where it may end.
  for (let steps = 0; steps < 12; steps += 1) {
    cpSync(place("."), copy, { recursive: true });
    const writer = openWriter({ folder: copy, startId: ids.next("blob"), ...options });
    for (let step = 0; step < steps; step += 1) writer.tidy();
    // Not closed: what the kill leaves is what is on the disk.
    const writerAfter = openWriter({ folder: copy, startId: ids.next("blob"), ...options });
    while (writerAfter.tidy());
    const files = readdirSync(copy, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.filter((entry) => readFileSync(join(entry.parentPath, entry.name)).includes(MARKER))).toEqual([]);
    writerAfter.close();
    rmSync(copy, { recursive: true });
  }
  free = 1e6;
  store = openStore();
  await store.tidy();
  expect(store.sealing().isDone).toBe(false);
  free = 1e12;
  await clock.advance(61_000);
  await store.tidy();
  expect([showing(), store.sealing().isDone]).toEqual([[], true]);
  await expectWhole();
});

test("without its catalogue an encrypted store is as it was from the segments alone, and stays encrypted", async () => {
  await put("small");
  await put("large");
  await encrypt();
  for (const name of ["frame", "packed", "many"]) await put(name);
  await store.stop();
  for (const end of ["", "-wal", "-shm"]) rmSync(place(`catalogue.db${end}`), { force: true });
  store = openStore();
  await store.tidy();
  await expectWhole();
  expect([store.sealing().on, store.sealing().isDone, showing()]).toEqual([true, true, []]);
});

test("with another key nothing is served, nothing is made anew and nothing is lost", async () => {
  await encrypt();
  await putAll();
  await store.tidy();
  const { key } = store.sealing();
  await store.stop();
  const other = createSeal(new Uint8Array(32).fill(9));
  store = openStore(other);
  expect(() => store.findObject("b", text.encode("small"))).toThrow(key);
  await expect(put("other", wordsOf("other", 10))).rejects.toThrow("Put back the node.key");
  await store.stop();
  cpSync(place("catalogue.db"), place("kept"));
  rmSync(place("catalogue.db"));
  const before = stored();
  store = openStore(other);
  await expect(store.tidy()).rejects.toThrow("records of its segments");
  expect(() => store.listBuckets()).toThrow("Put back the node.key");
  expect([existsSync(place("catalogue.db")), stored()]).toEqual([false, before]);
  await store.stop();
  store = openStore();
  await store.tidy();
  await expectWhole();
});

test("changed, swapped or shortened bytes are found and never served", async () => {
  await encrypt();
  await putAll();
  await put("twin", Buffer.alloc(300_000, "another of the same size"));
  const [one, two] = ["large", "twin"].map((name) => {
    const [id = ""]: string[] = JSON.parse(store.findObject("b", text.encode(name))?.blobs ?? "[]");
    return layoutOf(place(".")).blob({ id, sealed: 1 });
  }) as [string, string];
  await store.stop();
  const files = stored().filter((path) => path.endsWith(".sealed"));
  const original = files.map((path) => [path, readFileSync(path)] as const);
  const segment = stored().find((path) => path.endsWith(".seg")) ?? "";
  const log = readFileSync(segment);
  const tries: [what: string, names: string[], spoil: () => void][] = [
    [
      "swapped",
      ["large", "twin"],
      () => {
        const [a, b] = [readFileSync(one), readFileSync(two)];
        writeFileSync(one, b);
        writeFileSync(two, a);
      },
    ],
    ["shortened", ["large"], () => writeFileSync(one, readFileSync(one).subarray(0, -1))],
    ["shortened by a frame", ["large"], () => writeFileSync(one, readFileSync(one).subarray(0, 40 + 4 * 65_552))],
    ["other head", ["large"], () => damage(one, 20, (byte) => byte ^ 255)],
    // Within a range alone, too.
    ["two bytes", ["large"], () => spoilAt(one, 150_000, 150_300)],
    ["record", ["small"], () => spoilAt(segment, log.indexOf("ORS1") + 300, log.indexOf("ORS1") + 500)],
  ];
  for (const [what, names, spoil] of tries) {
    spoil();
    store = openStore();
    for (const name of names) {
      expect([
        what,
        await read(name).then(
          () => "served",
          () => "refused",
        ),
      ]).toEqual([what, "refused"]);
      expect([
        what,
        await read(name, 140_000, 20_000).then(
          () => "served",
          () => "refused",
        ),
      ]).toEqual([what, what === "shortened" || what === "shortened by a frame" ? "served" : "refused"]);
    }
    const { found } = await store.check(1e9);
    expect([what, found.flatMap(({ objects }) => objects).toSorted()]).toEqual([
      what,
      names.map((name) => `photos/${name}`),
    ]);
    await store.stop();
    for (const [path, bytes] of original) writeFileSync(path, bytes);
    const now = readFileSync(segment);
    log.copy(now);
    writeFileSync(segment, now);
    store = openStore();
    await store.check(1e9);
    expect(store.checkState()?.damaged).toBe(0);
    await store.stop();
  }
});

test("a flipped bit is put right where the MD5 proves it, in the bytes and in their proof", async () => {
  await encrypt();
  await putAll();
  const large = stored().filter((path) => path.endsWith(".sealed"));
  for (const [index, path] of large.entries())
    damage(path, index === 0 ? 70_000 : readFileSync(path).length - 3, (byte) => byte ^ 4);
  await expect(read("large")).rejects.toThrow("is not what was stored");
  const { mended, found } = await store.check(1e9);
  expect([mended.toSorted(), found]).toEqual([["photos/large", "photos/many"], []]);
  await store.tidy();
  await expectWhole();
  expect(showing()).toEqual([]);
});
