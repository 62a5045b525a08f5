import { ALGORITHMS, type Algorithm, SUM_BYTES } from "../checksums.ts";
import type { Received } from "../receive-object.ts";
import { S3Problem } from "./problem.ts";
import { header, type Wire } from "./wire.ts";

/** What a sender says beforehand of the bytes that come. */
interface Promised {
  /** Sums to work out. */
  algorithms: Algorithm[];
  /** Throws BadDigest where they are others. */
  check(received: Pick<Received, "sums">): void;
}

function isDigest(text: string, bytes: number): boolean {
  return Buffer.from(text, "base64").length === bytes && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
}

/** Sums that the headers or the link promise. Throws InvalidRequest for more than one, InvalidDigest for what is none. */
export function readPromise(wire: Wire): Promised {
  const sums = new Map<Algorithm, string>();
  for (const algorithm of ALGORITHMS) {
    const name = `x-amz-checksum-${algorithm}`;
    const given = header(wire, name);
    const linked = wire.query.find(([known]) => known.toLowerCase() === name)?.[1] ?? null;
    // Some makers of links sign the sum of no bytes at all into each of them.
    const meant = given ?? (linked === "AAAAAA==" || linked === "AAAAAAAAAAA=" ? null : linked);
    if (meant !== null) sums.set(algorithm, meant);
  }
  if (sums.size > 1) throw new S3Problem("InvalidRequest", "Expecting a single x-amz-checksum- header.");
  const md5 = header(wire, "content-md5");
  if (md5 !== null && !isDigest(md5, 16)) throw new S3Problem("InvalidDigest");
  for (const [algorithm, sum] of sums)
    if (!isDigest(sum, SUM_BYTES[algorithm]))
      throw new S3Problem("InvalidRequest", `Value for x-amz-checksum-${algorithm} header is invalid.`);
  return {
    algorithms: [...sums.keys()],
    check(received) {
      if (md5 !== null && received.sums.md5 !== md5) throw new S3Problem("BadDigest");
      for (const [algorithm, sum] of sums) if (received.sums[algorithm] !== sum) throw new S3Problem("BadDigest");
    },
  };
}
