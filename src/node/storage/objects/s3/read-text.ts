import { createHash } from "node:crypto";
import type { BodyLimits, Take } from "../../../../kernel/http/body-budget.ts";
import { ByteBuffer } from "../../../../lib/byte-buffer.ts";
import type { Rights } from "../access-table.ts";
import { type Algorithm, createSum } from "../checksums.ts";
import { type Asked, comingOf, needSigned, othersFirst } from "./asked.ts";
import { openBody } from "./body.ts";
import { S3Problem } from "./problem.ts";

/** What a document can be that lists a thousand keys, or ten thousand parts. */
const MOST_TEXT_BYTES = 2 * 1024 * 1024;
/** What a document can be that says what one bucket or object is like. */
export const SMALL_TEXT_BYTES = 128 * 1024;
/** What documents on their way may hold: eight of the largest of one key, and a few keys that hold as much. */
export const TEXT_LIMITS: BodyLimits = { each: 8 * MOST_TEXT_BYTES, all: 32 * MOST_TEXT_BYTES };

/**
 * The body of a request that needs that right, which is XML. It counts for the key that sends it while it comes, and whoever reads it has a
 * turn for that: it came when its sender liked. Throws for what is not as its sender said, comes too slowly or is larger than `most` bytes,
 * where they hold too much already, and where they may not send it any more.
 */
export function readText(asked: Asked, right: keyof Rights, most = MOST_TEXT_BYTES): Promise<string> {
  const { key } = needSigned(asked);
  return asked.world.readWithin(key.accessKey, (take) => readWhole(asked, right, most, take));
}

async function readWhole(asked: Asked, right: keyof Rights, most: number, take: Take): Promise<string> {
  const { bytes, check, algorithms } = openBody(asked.wire, comingOf(asked, right), needSigned(asked));
  const buffer = new ByteBuffer();
  for await (const piece of bytes) {
    if (buffer.length + piece.length > most)
      throw new S3Problem("MalformedXML", `A document of this kind can have ${most} bytes.`);
    take(piece.length);
    buffer.append(piece);
  }
  await othersFirst(asked);
  const whole = buffer.view();
  const sumOf = (algorithm: Algorithm): string => {
    const sum = createSum(algorithm);
    sum.add(whole);
    return Buffer.from(sum.digest()).toString("base64");
  };
  const md5 = createHash("md5").update(whole).digest();
  const sums = Object.fromEntries(algorithms.map((algorithm) => [algorithm, sumOf(algorithm)]));
  check({ md5: md5.toString("hex"), sums: { ...sums, md5: md5.toString("base64") } });
  return whole.toString("utf8");
}
