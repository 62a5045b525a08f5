import { afterEach, beforeEach, expect, test } from "bun:test";
import type { TestNode } from "../../../../tests/kit/node-app.ts";
import { closeStorageNode, openStorageNode } from "../../../../tests/kit/storage-node.ts";
import { createContents } from "./contents.ts";
import type { Needs } from "./needs.ts";

let node: TestNode;
beforeEach(() => {
  node = openStorageNode();
});
afterEach(() => closeStorageNode(node));

const encoder = new TextEncoder();
const sumOf = (text: string): string => new Bun.CryptoHasher("sha256").update(text).digest("hex");
const noSignal = new AbortController().signal;
const earlier: Needs["earlier"] = { requireDrive() {}, bring: async () => false };
const contentsOf = (more: Partial<Needs> = {}) => createContents({ ...node.ctx, earlier, ...more } as Needs);
const sweep = (contents = contentsOf()) => contents.sweep(noSignal, async () => {});

/** Stores bytes under a key of the Drive's bucket, and says so nowhere. */
async function storeOnly(key: string, text: string): Promise<void> {
  const { objectStore, clock } = node.ctx;
  const incoming = await objectStore.receive();
  await incoming.add(encoder.encode(text));
  const blob = await incoming.finish();
  const object = { bucketId: await contentsOf().bucketId(), key: encoder.encode(key), etag: key, facts: "{}" };
  await objectStore.change({ kind: "put", blob, ...object, at: clock.now(), when: {} });
}

/** Makes a file of a content, as far as the sweep looks. */
const nameIt = (sha256: string): void =>
  void node.ctx.db.raw
    .query(
      `INSERT INTO drive_versions (id, node_id, sha256, size_bytes, made_at, replaced_at)
       SELECT ?1, id, ?1, 1, 1, 1 FROM drive_nodes LIMIT 1`,
    )
    .run(sha256);

async function makeFolder(): Promise<void> {
  const { status } = await node.call("POST /api/drive/folders", { as: "admin", body: { name: "f", parent_id: null } });
  expect(status).toBe(201);
}

const keys = (): string[] => {
  const bucket = node.ctx.objectStore.findBucket("service-drive");
  const rows = node.ctx.objectStore.listWhole(bucket?.id ?? "", new Uint8Array(), 10_000);
  return rows.map(({ key }) => Buffer.from(key).toString()).toSorted();
};

test("what an end of the program left between bytes and name goes with the first sweep, and nothing that has a name", async () => {
  await makeFolder();
  const kept = Array.from({ length: 150 }, (_, at) => `kept ${at}`);
  const left = Array.from({ length: 300 }, (_, at) => `left ${at}`);
  await Promise.all([...kept, ...left].map((text) => storeOnly(sumOf(text), text)));
  // Under a name that is none of a content, as another program may have stored it.
  await storeOnly("notes.txt", "notes");
  for (const text of kept) nameIt(sumOf(text));
  await sweep();
  expect(keys()).toEqual([...kept.map(sumOf), "notes.txt"].toSorted());
});

test("what is being stored while the first sweep looks is left alone", async () => {
  await makeFolder();
  const contents = contentsOf();
  const [text, sha256] = ["coming", sumOf("coming")];
  await contents.hold(
    sha256,
    async () => {
      await storeOnly(sha256, text);
      await sweep(contents);
    },
    () => nameIt(sha256),
  );
  await sweep(contents);
  expect(keys()).toEqual([sha256]);
});

test("what is refused its name goes with the next sweep, also where that could not be noted", async () => {
  await makeFolder();
  const contents = contentsOf();
  await sweep(contents);
  const refuse = () => {
    throw new Error("refused");
  };
  await expect(contents.keep(encoder.encode("refused"), refuse)).rejects.toThrow("refused");
  expect(keys()).toEqual([sumOf("refused")]);
  await sweep(contents);
  expect(keys()).toEqual([]);

  const { raw } = node.ctx.db;
  const bytes = async function* () {
    raw.run("PRAGMA query_only = ON");
    yield encoder.encode("unnoted");
  };
  await expect(contents.keepStream(sumOf("unnoted"), bytes, refuse)).rejects.toThrow("readonly");
  raw.run("PRAGMA query_only = OFF");
  expect(keys()).toEqual([sumOf("unnoted")]);
  await sweep(contents);
  expect(keys()).toEqual([]);
});

test("bytes that come again while they are being removed are stored again", async () => {
  await makeFolder();
  const [text, sha256] = ["again", sumOf("again")];
  await storeOnly(sha256, text);
  const kept: Promise<void>[] = [];
  const bytes = async function* () {
    yield encoder.encode(text);
  };
  const contents = contentsOf({
    objectStore: {
      ...node.ctx.objectStore,
      change(operation) {
        const changed = node.ctx.objectStore.change(operation);
        if (operation.kind === "remove") kept.push(contents.keepStream(sha256, bytes, () => nameIt(sha256)));
        return changed;
      },
    },
  });
  await sweep(contents);
  await Promise.all(kept);
  expect([kept.length, keys()]).toEqual([1, [sha256]]);
});
