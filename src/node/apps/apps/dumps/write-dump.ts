import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import type { Dumper } from "./databases.ts";
import { DumpFault } from "./read-dump.ts";

/** As much of an end as its mark needs. */
const TAIL_BYTES = 512;

const begins = (head: Buffer, bytes: readonly number[]): boolean => bytes.every((byte, at) => head[at] === byte);
const ends = (tail: Buffer, mark: RegExp): boolean => mark.test(tail.toString("latin1"));

/** Whether a dump is one from its beginning to its end, as each program marks it: what was cut off has no such end, whatever its exit code. */
const IS_WHOLE: Record<Dumper, (head: Buffer, tail: Buffer) => boolean> = {
  postgres: (_, tail) => ends(tail, /-- PostgreSQL database( cluster)? dump complete\n/),
  mysql: (_, tail) => ends(tail, /-- Dump completed/),
  mongodb: (head, tail) => begins(head, [0x6d, 0xe2, 0x99, 0x81]) && tail.subarray(-4).equals(Buffer.alloc(4, 0xff)),
  // A mark, and eight bytes of a checksum behind it.
  redis: (head, tail) => begins(head, [...Buffer.from("REDIS")]) && tail.at(-9) === 0xff,
};

/** What came by: how much, its digest, and both of its ends. */
class Observer {
  readonly #hash = createHash("sha256");
  #head = Buffer.alloc(0);
  #tail = Buffer.alloc(0);
  size = 0;

  see(piece: Uint8Array): void {
    this.size += piece.length;
    this.#hash.update(piece);
    if (this.#head.length < TAIL_BYTES) this.#head = Buffer.concat([this.#head, piece.subarray(0, TAIL_BYTES)]);
    this.#tail = Buffer.from(Buffer.concat([this.#tail, piece.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES));
  }

  isWhole(dumper: Dumper): boolean {
    return IS_WHOLE[dumper](this.#head, this.#tail);
  }

  digest(): string {
    return this.#hash.digest("hex");
  }
}

/** What is known of a dump that was written. */
export interface WrittenDump {
  size_bytes: number;
  sha256: string;
  isWhole: boolean;
}

/** Writes a dump to disk, compressed. Throws what reading throws. */
export async function writeDumpFile(
  path: string,
  dumper: Dumper,
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<WrittenDump> {
  const seen = new Observer();
  const watched = async function* () {
    for await (const piece of bytes) {
      seen.see(piece);
      yield piece;
    }
  };
  const file = createWriteStream(path, { mode: 0o600 });
  await pipeline(Readable.from(watched(), { objectMode: false }), createGzip({ level: 1 }), file, { signal });
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { size_bytes: seen.size, sha256: seen.digest(), isWhole: seen.isWhole(dumper) };
}

/** Reads a dump from disk again: throws DumpFault when it is not what was written. */
export async function checkDumpFile(
  path: string,
  { size_bytes, sha256 }: WrittenDump,
  signal: AbortSignal,
): Promise<void> {
  const seen = new Observer();
  const reader = createReadStream(path).pipe(createGunzip());
  signal.addEventListener("abort", () => reader.destroy(), { once: true });
  for await (const piece of reader) seen.see(piece);
  if (seen.size !== size_bytes || seen.digest() !== sha256) {
    throw new DumpFault("what was read from disk again is not what was written");
  }
}
