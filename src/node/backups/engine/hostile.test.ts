/** Repositories by somebody who has the key and means harm. */
import { expect, test } from "bun:test";
import { zstdCompressSync } from "node:zlib";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { encrypt } from "./keys.ts";
import { takeLease } from "./lease.ts";
import { openLocalFolder } from "./local-folder.ts";
import { readPackIndex } from "./pack.ts";
import { scanArchive, soundArchive } from "./pieces.ts";
import { createRepository, hasRepository, openRepository } from "./repository.ts";
import { readSnapshot, readStream, type SnapshotPart, writeStream } from "./snapshot.ts";
import { entryHeaders, type FreshEntry, tarEnd } from "./tar.ts";
import { unpackedSize } from "./unpacked-size.ts";

const entry = (more: Partial<Omit<FreshEntry, "name" | "link">> & { name: string; link?: string }): Uint8Array =>
  entryHeaders({
    type: "file",
    size: 0,
    mode: 0o644,
    uid: 0,
    gid: 0,
    time: "1",
    attributes: [],
    ...more,
    name: Buffer.from(more.name),
    link: more.link === undefined ? null : Buffer.from(more.link),
  });
const top = entry({ type: "folder", name: "data" });
const archive = (...parts: Uint8Array[]): Uint8Array => Buffer.concat([top, ...parts, tarEnd()]);
const block = (text: string): Uint8Array => Buffer.concat([Buffer.from(text), Buffer.alloc(512 - text.length)]);

async function read(bytes: Uint8Array): Promise<string> {
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += 700) yield bytes.subarray(at, at + 700);
  }
  try {
    let length = 0;
    for await (const piece of soundArchive(pieces(), "data")) length += piece.length;
    return `${length === bytes.length}`;
  } catch (error) {
    return error instanceof Error && "code" in error ? `${error.code}: ${error.message}` : String(error);
  }
}

const CASES: [name: string, bytes: Uint8Array, said: string][] = [
  ["a name that climbs", archive(entry({ name: "data/../../etc/shadow" })), "a name leads out of it"],
  ["a whole path", archive(entry({ name: "/etc/shadow" })), "a name leads out of it"],
  ["a NUL", archive(entry({ name: "data/a\0b" })), "a name leads out of it"],
  ["another top", archive(entry({ name: "else/a" })), "a name lies elsewhere"],
  [
    "a file behind a link",
    archive(entry({ type: "link", name: "data/out", link: "/etc" }), entry({ name: "data/out/shadow" })),
    "a name lies behind a link",
  ],
  [
    "a file far behind a link",
    archive(entry({ type: "link", name: "data/out", link: "." }), entry({ name: "data/out/a/b/c" })),
    "a name lies behind a link",
  ],
  [
    "a second name of a file outside",
    archive(entry({ type: "twin", name: "data/twin", link: "/etc/shadow" })),
    "a name leads out of it",
  ],
  [
    "a second name of a file that climbs",
    archive(entry({ type: "twin", name: "data/twin", link: "data/../../etc/shadow" })),
    "a name leads out of it",
  ],
  ["a size of an exbibyte", archive(entry({ name: "data/big", size: 2 ** 60 })), "a size is none"],
  ["a size of a pebibyte without bytes", archive(entry({ name: "data/big", size: 2 ** 50 })), "it ends too soon"],
  ["a size below nothing", archive(entry({ name: "data/big", size: -1 })), "a size is none"],
  ["a name of two megabytes", archive(entry({ name: `data/${"n".repeat(2_000_000)}` })), "a long header is too long"],
  ["headers that end", archive().subarray(0, 700), "it ends too soon"],
  ["no archive at all", block("something else"), "a header has another sum"],
];

test.each(CASES)("an archive with %s is damaged, and nothing of it is unpacked", async (_, bytes, said) => {
  expect(await read(bytes)).toBe(`damaged: An archive of files is damaged: ${said}.`);
});

test("what is odd and does no harm goes through: long names, links that lead anywhere, a link after its folder", async () => {
  const odd = archive(
    entry({ name: `data/${"n".repeat(60_000)}` }),
    entry({ type: "link", name: "data/out", link: "../../../etc/passwd" }),
    entry({ name: "data/outer/file" }),
    entry({ name: "data/..." }),
    entry({ name: "data/file", size: 5 }),
    block("hello"),
    entry({ type: "twin", name: "data/twin", link: "data/file" }),
  );
  expect(await read(odd)).toBe("true");
});

test("a frame says how much it holds, and only one that is alone", () => {
  for (const size of [0, 1, 255, 256, 70_000, 3_000_000]) {
    const packed = Bun.zstdCompressSync(new Uint8Array(size));
    expect(unpackedSize(packed)).toBe(size);
    expect(unpackedSize(packed.subarray(0, -1))).toBe(null);
    expect(unpackedSize(Buffer.concat([packed, packed]))).toBe(null);
    expect(unpackedSize(zstdCompressSync(new Uint8Array(size), { params: { 201: 1 } }))).toBe(size);
  }
  expect(unpackedSize(Buffer.from("no frame"))).toBe(null);
});

async function makeOne() {
  const target = openLocalFolder(makeScratch("hostile"));
  const key = await createRepository(target, "ABCD-EFGH-JKLM-NPQR-STUV-WXYZ-2345-6789", null);
  const lease = await takeLease(target, "tests", () => 0);
  const repository = await openRepository(target, key, lease);
  const stream = writeStream(repository);
  await stream.write(archive(entry({ name: "data/file", size: 5 }), block("hello")));
  const part: SnapshotPart = { kind: "volume", app: "app_1", name: "files", ...(await stream.end()).stream };
  await repository.flush();
  return { target, repository, part };
}

const codeOf = (task: Promise<unknown>): Promise<unknown> =>
  task.then(
    () => "fine",
    (error: { code?: unknown; message: string }) => error.code ?? error.message,
  );

test("a stream that has more than it says ends there, and a list that goes round is no way to fill a disk", async () => {
  const { repository, part } = await makeOne();
  expect(await codeOf(Array.fromAsync(readStream(repository, part)))).toBe("fine");
  const longer = { ...part, list: Array.from({ length: 100_000 }, () => part.list[0] ?? "") };
  let bytes = 0;
  const count = async () => {
    for await (const chunk of readStream(repository, longer)) bytes += chunk.length;
  };
  expect(await codeOf(count())).toBe("damaged");
  expect(bytes).toBe(part.size);
  expect(await codeOf(Array.fromAsync(scanArchive(repository, longer, "data")))).toBe("damaged");
});

test("what describes a backup is damaged when it unpacks to too much, is no JSON, or is another's", async () => {
  const { target, repository } = await makeOne();
  const write = async (id: string, packed: Uint8Array) => {
    await target.write(`snapshots/${id}`, encrypt(repository.keys.secret, `snapshot ${id}`, packed));
    return await codeOf(readSnapshot(target, repository, id));
  };
  const zeros = Bun.zstdCompressSync(new Uint8Array(100_000_000));
  expect(await write("bomb", Buffer.concat([zeros, zeros, zeros, zeros]))).toBe("damaged");
  expect(await write("words", Bun.zstdCompressSync(Buffer.from("no JSON")))).toBe("damaged");
  const other = { version: 1, id: "another", created_at: "", node: { name: "", version: "" }, apps: [], parts: [] };
  expect(await write("mine", Bun.zstdCompressSync(Buffer.from(JSON.stringify(other))))).toBe("damaged");
});

/** A document as it should be, with more in it than anybody needs, none of which takes much room as text. */
const swollen = (document: object, values: number): Buffer =>
  Buffer.from(JSON.stringify({ ...document, more: Array.from({ length: values }, () => ({})) }));

test("documents of more values than they need are none, and none of it is parsed", async () => {
  const target = openLocalFolder(makeScratch("hostile"));
  await createRepository(target, "ABCD-EFGH-JKLM-NPQR-STUV-WXYZ-2345-6789", null);
  const config: object = JSON.parse(Buffer.from(await target.read("config.json")).toString());
  for (const more of [swollen(config, 2_000), swollen({ ...config, note: "n".repeat(70_000) }, 0)]) {
    await target.remove("config.json");
    await target.write("config.json", more);
    expect(await codeOf(hasRepository(target))).toBe("target_foreign");
  }
  await target.remove("config.json");
  await target.write("config.json", swollen(config, 10));
  expect(await hasRepository(target)).toBe(true);
  await target.write("leases/000000000001", swollen({ holder: null, until: 0 }, 1_000));
  expect(await codeOf(takeLease(target, "tests", () => 0))).toBe("damaged");
});

test("what describes a backup is damaged when it has too many values, or too deep ones", async () => {
  const { target, repository } = await makeOne();
  const write = async (id: string, more: object, values: number) => {
    const good = { version: 1, id, created_at: "", node: { name: "", version: "" }, apps: [], parts: [], ...more };
    const packed = Bun.zstdCompressSync(swollen(good, values));
    await target.write(`snapshots/${id}`, encrypt(repository.keys.secret, `snapshot ${id}`, packed));
    return await codeOf(readSnapshot(target, repository, id));
  };
  expect(await write("fair", {}, 1_000)).toBe("fine");
  expect(await write("many", {}, 300_000)).toBe("damaged");
  expect(await write("deep", { deep: [[[[[[[[[]]]]]]]]] }, 0)).toBe("damaged");
});

test("a pack in whose index a chunk is longer than any is damaged, however little of it is more than holes", async () => {
  const { target, repository } = await makeOne();
  const { secret } = repository.keys;
  const longest = 8 * 1024 * 1024 + 29;
  const readWith = async (length: number) => {
    const table = Buffer.alloc(40);
    table.writeUInt32BE(length, 36);
    const index = encrypt(secret, "pack index", table);
    const end = Buffer.alloc(8);
    end.writeUInt32BE(index.length, 0);
    end.write("ORP1", 4, "latin1");
    const name = `packs/aa/${length}`;
    await target.write(name, Buffer.concat([new Uint8Array(length), index, end]));
    return await codeOf(readPackIndex(target, { name, size: length + index.length + 8 }, secret));
  };
  expect(await readWith(longest)).toBe("fine");
  expect(await readWith(longest + 1)).toBe("damaged");
});
