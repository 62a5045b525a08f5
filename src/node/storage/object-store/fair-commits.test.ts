import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { storeSeal } from "../../../../tests/kit/store-seal.ts";
import { createLog } from "../../../kernel/log.ts";
import { createIds } from "../../../lib/ids.ts";
import { createCommits } from "./commits.ts";
import { createObjectStore, type ObjectStore, type Operation } from "./index.ts";

const text = new TextEncoder();
const PARTS = 3_000;

/** A store with two buckets; `big` in the first names one blob as often as an object can have parts that is dear to copy. */
async function openWithParts(): Promise<{ store: ObjectStore; close(): Promise<void> }> {
  const folder = makeScratch("fair");
  const clock = createFakeClock();
  const log = createLog(clock, "error", (line) => process.stderr.write(`${line}\n`));
  const ownSpace = async () => ({ total: 1e12, used: 0, free: 1e12, files: { used: 0, total: 0 } });
  const base = { config: { data_dir: folder }, host: { ownSpace }, clock, ids: createIds(clock.now), log };
  const store = createObjectStore({ ...base, signal: new AbortController().signal, seal: storeSeal } as never);
  for (const id of ["ann", "bob"])
    await store.change({ kind: "makeBucket", id, name: `of-${id}`, visibility: "private", at: 1 });
  await store.change(putting("ann", "big"));
  const catalogue = new Database(join(folder, "objects/catalogue.db"));
  const { id } = catalogue.query<{ id: string }, []>("SELECT id FROM blobs").get() ?? { id: "" };
  catalogue.run("UPDATE objects SET blobs = ?", [JSON.stringify(Array(PARTS).fill(id))]);
  catalogue.run("UPDATE blobs SET refs = ?", [PARTS]);
  catalogue.close();
  return {
    store,
    async close() {
      await store.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function putting(bucketId: string, name: string): Operation {
  const bytes = text.encode(name);
  const blob = { id: `blob_${bucketId}_${name}`, size: bytes.length, crc: Bun.hash.crc32(bytes), bytes, sealed: 0 };
  return { kind: "put", bucketId, key: text.encode(name), etag: "e", facts: "{}", at: 1, when: {}, blob };
}

const copying = (name: string): Operation => ({
  ...{ kind: "copy", from: { bucketId: "ann", key: text.encode("big"), etag: "e" } },
  ...{ bucketId: "ann", key: text.encode(name), etag: "e", facts: "{}", at: 1, when: {} },
});
const removing = (name: string): Operation => ({ kind: "remove", bucketId: "ann", key: text.encode(name), when: {} });

test.each([
  ["copies", copying],
  ["removals", removing],
])("who changes little does not wait until all %s of another are done that came before", async (_, change) => {
  const { store, close } = await openWithParts();
  const names = Array.from({ length: 20 }, (_, at) => `copy ${at}`);
  if (change === removing) await Promise.all(names.map((name) => store.change(copying(name))));
  let done = 0;
  const all = names.map(async (name) => {
    expect((await store.change(change(name))).refused).toBe(null);
    done += 1;
  });
  expect((await store.change(putting("bob", "little"))).refused).toBe(null);
  // The one that was being written, and one that came in between.
  expect(done).toBeLessThanOrEqual(2);
  await Promise.all(all);
  const counts = store.listBuckets().map(({ object_count }) => object_count);
  expect(counts).toEqual(change === removing ? [1, 1] : [21, 1]);
  await close();
});

test("changes for one stay in their order, also those that the writer left for later, and those of others come between", async () => {
  const written: string[] = [];
  const commit = createCommits(async (operations) => {
    const first = operations.slice(0, 2).map((one) => (one.kind === "removeBucket" ? one.id : ""));
    await Promise.resolve();
    written.push(...first);
    return { outcomes: first.map(() => ({ refused: null, size: 0 })), rows: first.map(() => 10) };
  });
  const ask = (whose: string, count: number) =>
    Array.from({ length: count }, (_, at) => commit({ kind: "removeBucket", id: `${whose}${at}` }, whose));
  await Promise.all([...ask("a", 5), ...ask("b", 2), ...ask("c", 1)]);
  expect(written).toEqual(["a0", "b0", "c0", "a1", "b1", "a2", "a3", "a4"]);
});
