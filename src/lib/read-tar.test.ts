import { expect, test } from "bun:test";
import fc from "fast-check";
import { openTarFile } from "./read-tar.ts";
import { writeTar } from "./write-tar.ts";

const LONG = `${"a".repeat(180)}.bin`;

/** Header as the engine writes it; a long name or size stands in a record before it. */
function archiveOf(content: Buffer, options: { type?: string; pax?: string } = {}): Buffer {
  const header = (size: number, type: string) => {
    const block = Buffer.alloc(512);
    block.write("name");
    block.write(`${size.toString(8).padStart(11, "0")}\0`, 124);
    block.write(type, 156);
    return block;
  };
  const padded = (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]);
  const about = options.pax === undefined ? [] : [header(options.pax.length, "x"), padded(Buffer.from(options.pax))];
  return Buffer.concat([
    ...about,
    header(options.pax?.includes("size=") ? 0 : content.length, options.type ?? "0"),
    padded(content),
    Buffer.alloc(1024),
  ]);
}

async function* inPieces(bytes: Buffer, lengths: readonly number[]): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (let turn = 0; at < bytes.length; turn += 1) {
    const end = at + (lengths[turn % lengths.length] ?? 512);
    yield bytes.subarray(at, end);
    at = end;
  }
}

async function read(archive: Buffer, lengths: readonly number[] = [100]) {
  const { size, bytes } = await openTarFile(inPieces(archive, lengths));
  const pieces: Uint8Array[] = [];
  for await (const piece of bytes) pieces.push(piece);
  return { size, content: Buffer.concat(pieces) };
}

test("a file comes out as it went in, however the archive is cut", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 3000 }),
      fc.array(fc.integer({ min: 1, max: 1500 }), { minLength: 1, maxLength: 5 }),
      async (content, lengths) => {
        const result = await read(archiveOf(Buffer.from(content)), lengths);
        expect(result).toEqual({ size: content.length, content: Buffer.from(content) });
      },
    ),
    { numRuns: 50 },
  );
});

test("a long name and a size that the header has no room for stand before it", async () => {
  const content = Buffer.from("hello");
  expect((await read(archiveOf(content, { pax: `200 path=${LONG}\n` }))).content).toEqual(content);
  expect((await read(archiveOf(content, { pax: "9 size=5\n" }))).content).toEqual(content);
});

test("what is no archive of one file is an error, and so is one that ends in the middle", async () => {
  await expect(read(archiveOf(Buffer.alloc(0), { type: "5" }))).rejects.toThrow("no file");
  await expect(read(archiveOf(Buffer.alloc(0), { type: "2" }))).rejects.toThrow("no file");
  await expect(read(archiveOf(Buffer.alloc(2000)).subarray(0, 1500))).rejects.toThrow("too early");
  await expect(read(Buffer.alloc(0))).rejects.toThrow("too early");
});

test("what is written is read again, owners of any number included", async () => {
  async function* bytes() {
    yield Buffer.from("hello ");
    yield Buffer.from("there");
  }
  const header = {
    name: ".orrery-upl_1",
    size: 11,
    uid: 4_294_967_294,
    gid: 1000,
    modified: 1_700_000_000,
    mode: 0o644,
  };
  const pieces: Uint8Array[] = [];
  for await (const piece of writeTar(header, bytes())) pieces.push(piece);
  const archive = Buffer.concat(pieces);
  expect(archive.length % 512).toBe(0);
  expect((await read(archive)).content.toString()).toBe("hello there");
  const listed = Bun.spawnSync(["tar", "--numeric-owner", "-tvf", "-"], { stdin: archive }).stdout.toString();
  expect(listed).toMatch(/^-rw-r--r-- 4294967294\/1000\s+11 .*\.orrery-upl_1\n$/);
});
