import { expect, test } from "bun:test";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { makeScratch } from "../../../../../tests/kit/scratch.ts";
import type { Dumper } from "./databases.ts";
import { DumpFault } from "./read-dump.ts";
import { checkDumpFile, writeDumpFile } from "./write-dump.ts";

const NEVER = new AbortController().signal;
const path = () => join(makeScratch("dump-file"), "dump.gz");
async function* pieces(...parts: (string | Buffer)[]) {
  for (const part of parts) yield Buffer.from(part);
}
const write = (dumper: Dumper, to: string, ...parts: (string | Buffer)[]) =>
  writeDumpFile(to, dumper, pieces(...parts), NEVER);

const REDIS = Buffer.concat([Buffer.from("REDIS0011"), Buffer.alloc(40, 1), Buffer.from([0xff]), Buffer.alloc(8, 7)]);
const MONGO = Buffer.concat([Buffer.from([0x6d, 0xe2, 0x99, 0x81]), Buffer.alloc(40, 1), Buffer.alloc(4, 0xff)]);

test.each<[Dumper, Buffer]>([
  ["postgres", Buffer.from("SELECT 1;\n--\n-- PostgreSQL database cluster dump complete\n--\n\n")],
  ["postgres", Buffer.from("-- PostgreSQL database dump complete\n--\n\n\\unrestrict x1\n")],
  ["mysql", Buffer.from("-- x\n-- Dump completed on 2026-01-01  0:00:00\n")],
  ["mongodb", MONGO],
  ["redis", REDIS],
])("a whole dump of %s is told from one that was cut off anywhere near its end", async (dumper, whole) => {
  const to = path();
  expect((await write(dumper, to, whole.subarray(0, 20), whole.subarray(20))).isWhole).toBe(true);
  expect(gunzipSync(readFileSync(to)).equals(whole)).toBe(true);
  expect(statSync(to).mode & 0o777).toBe(0o600);
  const half = whole.subarray(0, whole.length - 25);
  expect((await write(dumper, path(), half)).isWhole).toBe(false);
  expect((await write(dumper, path(), "")).isWhole).toBe(false);
});

test("its beginning and its end are found in pieces of any size", async () => {
  const bytes = [...MONGO].map((byte) => Buffer.from([byte]));
  expect(await write("mongodb", path(), ...bytes)).toEqual(await write("mongodb", path(), MONGO));
});

test("what disk gives back is compared with what was written", async () => {
  const to = path();
  const written = await write("redis", to, REDIS);
  await checkDumpFile(to, written, NEVER);
  writeFileSync(to, gzipSync(Buffer.from(REDIS).fill(2, 12, 13)));
  expect(checkDumpFile(to, written, NEVER)).rejects.toThrow(DumpFault);
  writeFileSync(to, gzipSync(REDIS).subarray(0, 20));
  expect(checkDumpFile(to, written, NEVER)).rejects.toThrow();
});

test("a database that breaks off is no dump", async () => {
  async function* broken() {
    yield Buffer.from("REDIS");
    throw new Error("gone");
  }
  expect(writeDumpFile(path(), "redis", broken(), NEVER)).rejects.toThrow("gone");
});
