import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { makeScratch } from "../../tests/kit/scratch.ts";
import { type ZipEntry, zipOf } from "./zip.ts";

async function* piecesOf(bytes: Uint8Array, most: number) {
  for (let at = 0; at < bytes.length; at += most) yield bytes.subarray(at, at + most);
}

const file = (name: string, text: string): ZipEntry => ({
  name,
  at: Date.UTC(2026, 0, 2, 3, 4, 6),
  content: { size: Buffer.byteLength(text), open: async () => piecesOf(Buffer.from(text), 3) },
});

async function readZip(entries: Iterable<ZipEntry>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(zipOf(entries)));
}

/** What Python's own reader finds in an archive, which it checks as a whole. */
function inPython(archive: Buffer, script: string): unknown {
  const path = join(makeScratch("zip"), "a.zip");
  writeFileSync(path, archive);
  const program = `import json, sys, zipfile\nz = zipfile.ZipFile(sys.argv[1])\nprint(json.dumps(${script}))`;
  const { stdout, stderr, exitCode } = Bun.spawnSync(["python3", "-c", program, path]);
  if (exitCode !== 0) throw new Error(stderr.toString());
  return JSON.parse(stdout.toString());
}

test("another program finds names, times and contents in it, with letters of all languages and empty ones", async () => {
  const folder: ZipEntry = { name: "Fotos é", at: 0, content: null };
  const archive = await readZip([folder, file("Fotos é/日本.txt", "hello"), file("empty", "")]);
  const found = inPython(
    archive,
    "z.testzip() or [[i.filename, z.read(i).decode(), i.is_dir(), list(i.date_time)] for i in z.infolist()]",
  );
  expect(found).toEqual([
    ["Fotos é/", "", true, [1980, 1, 1, 0, 0, 0]],
    ["Fotos é/日本.txt", "hello", false, [2026, 1, 2, 3, 4, 6]],
    ["empty", "", false, [2026, 1, 2, 3, 4, 6]],
  ]);
});

test("there may be more files than the old format counts", async () => {
  const many = Array.from({ length: 65_540 }, (_, at): ZipEntry => ({ name: `d${at}`, at: 0, content: null }));
  expect(inPython(await readZip(many), "[len(z.infolist()), z.infolist()[-1].filename]")).toEqual([65_540, "d65539/"]);
});

test("a content of another size than it was said to have ends it", async () => {
  const wrong = { ...file("a", "abc"), content: { size: 4, open: async () => piecesOf(Buffer.from("abc"), 9) } };
  await expect(readZip([wrong])).rejects.toThrow("a has 3 bytes instead of 4");
});

test("a file of more than four gigabytes is read back, and nothing of it is held", async () => {
  const piece = new Uint8Array(16 * 1024 * 1024);
  const size = 257 * piece.length;
  let held = 0;
  async function* zeros() {
    for (let at = 0; at < size; at += piece.length) yield piece;
  }
  const entries = [{ name: "large", at: 0, content: { size, open: async () => zeros() } }, file("after", "it")];
  // Sparse, so that the disk has only what is not zero.
  const path = join(makeScratch("zip"), "a.zip");
  const handle = await open(path, "w");
  let at = 0;
  for await (const bytes of zipOf(entries)) {
    if (bytes !== piece) await handle.write(bytes, 0, bytes.length, at);
    else held += 1;
    at += bytes.length;
  }
  await handle.close();
  expect(held).toBe(257);
  const program =
    "import sys, zipfile\nz = zipfile.ZipFile(sys.argv[1])\nprint([i.file_size for i in z.infolist()], z.read('after'))";
  const { stdout } = Bun.spawnSync(["python3", "-c", program, path]);
  expect(stdout.toString().trim()).toBe(`[${size}, 2] b'it'`);
});

test("a name that the format has no room for is refused", async () => {
  expect(await readZip([file("n".repeat(65_535), "x")])).not.toBeEmpty();
  await expect(readZip([file("n".repeat(65_536), "x")])).rejects.toThrow("65536 bytes");
});
