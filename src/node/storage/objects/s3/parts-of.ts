import type { ByteRange } from "../../../../lib/byte-range.ts";
import type { ObjectRow, ObjectStore } from "../../object-store/index.ts";
import { type Algorithm, SUM_BYTES } from "../checksums.ts";
import { type PartFacts, readFacts } from "../facts.ts";
import type { Asked } from "./asked.ts";
import { S3Problem } from "./problem.ts";
import { header, param } from "./wire.ts";

/** A part that an object came in. */
interface PartOf {
  size: number;
  /** In base64; null where it has none. */
  sum: string | null;
}

/** The parts of an object in their order, and what their sums are made by; null where they have none. */
export interface PartsOf {
  algorithm: Algorithm | null;
  parts: PartOf[];
}

type Stored = Pick<ObjectRow, "etag" | "blobs" | "facts">;

/** What is kept of the parts of an object that an upload makes. */
export function keepParts(upload: string, algorithm: Algorithm | null, sums: readonly (string | null)[]): PartFacts {
  const known = sums.flatMap((sum) => (sum === null ? [] : [Buffer.from(sum, "base64")]));
  if (algorithm === null || known.length < sums.length) return { upload, algorithm: null, sums: "" };
  return { upload, algorithm, sums: Buffer.concat(known).toString("base64") };
}

/** The parts that an object came in; null for one that came in one piece, or whose parts are not known. */
export async function partsOf(
  { objectStore }: { objectStore: Pick<ObjectStore, "sizesOf"> },
  object: Stored,
): Promise<PartsOf | null> {
  const count = Number(/^[0-9a-f]{32}-(\d{1,5})$/.exec(object.etag)?.[1] ?? 0);
  if (count === 0) return null;
  const sizes = await objectStore.sizesOf(object);
  if (sizes.length !== count) return null;
  const { algorithm = null, sums = "" } = readFacts(object.facts).parts ?? {};
  const bytes = Buffer.from(sums, "base64");
  const length = algorithm === null ? 0 : SUM_BYTES[algorithm];
  const isWhole = algorithm !== null && bytes.length === length * count;
  const sumAt = (index: number) => bytes.toString("base64", index * length, (index + 1) * length);
  return {
    algorithm: isWhole ? algorithm : null,
    parts: sizes.map((size, index) => ({ size, sum: isWhole ? sumAt(index) : null })),
  };
}

/** A part that a read asks for. */
export interface AskedPart {
  range: ByteRange;
  /** Of how many parts it is one; null for an object that came in one piece. */
  count: number | null;
  /** Sums of its bytes, by their algorithm. */
  sums: Record<string, string>;
}

/** The part that a read asks for by its number; null where none is asked for. */
export async function readPartNumber(
  asked: Pick<Asked, "world" | "wire">,
  object: Stored & Pick<ObjectRow, "size">,
): Promise<AskedPart | null> {
  const text = param(asked.wire, "partNumber");
  if (text === null) return null;
  const number = Number(text);
  if (!/^\d{1,5}$/.test(text) || number < 1 || number > 10_000)
    throw new S3Problem("InvalidArgument", "Part number must be an integer between 1 and 10000, inclusive");
  if (header(asked.wire, "range") !== null)
    throw new S3Problem("InvalidRequest", "Cannot specify both Range header and partNumber query parameter.");
  const found = await partsOf(asked.world, object);
  const parts = found?.parts ?? [{ size: object.size, sum: null }];
  const part = parts[number - 1];
  if (part === undefined) throw new S3Problem("InvalidPartNumber");
  const start = parts.slice(0, number - 1).reduce((sum, { size }) => sum + size, 0);
  const own = found?.algorithm && part.sum !== null ? { [found.algorithm]: part.sum } : {};
  return {
    range: { start, end: start + part.size - 1 },
    count: found?.parts.length ?? null,
    sums: found === null ? readFacts(object.facts).sums : own,
  };
}
