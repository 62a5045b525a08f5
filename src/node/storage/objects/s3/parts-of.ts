import type { ByteRange } from "../../../../lib/byte-range.ts";
import type { ObjectStore } from "../../object-store/index.ts";
import type { Asked } from "./asked.ts";
import { S3Problem } from "./problem.ts";
import { header, param } from "./wire.ts";

/** Sizes of the parts that an object came in, in their order; null for one that came in one piece, or whose parts are not known. */
export function partsOf(
  { objectStore }: { objectStore: Pick<ObjectStore, "sizesOf"> },
  object: { etag: string; blobs: string },
): number[] | null {
  const count = Number(/^[0-9a-f]{32}-(\d{1,5})$/.exec(object.etag)?.[1] ?? 0);
  if (count === 0) return null;
  const sizes = objectStore.sizesOf(object);
  return sizes.length === count ? sizes : null;
}

/** The part that a read asks for by its number: where its bytes are, and of how many parts it is one. Null where none is asked for. */
export function readPartNumber(
  asked: Pick<Asked, "world" | "wire">,
  object: { etag: string; blobs: string; size: number },
): { range: ByteRange; count: number | null } | null {
  const text = param(asked.wire, "partNumber");
  if (text === null) return null;
  const number = Number(text);
  if (!/^\d{1,5}$/.test(text) || number < 1 || number > 10_000)
    throw new S3Problem("InvalidArgument", "Part number must be an integer between 1 and 10000, inclusive");
  if (header(asked.wire, "range") !== null)
    throw new S3Problem("InvalidRequest", "Cannot specify both Range header and partNumber query parameter.");
  const parts = partsOf(asked.world, object);
  const sizes = parts ?? [object.size];
  const size = sizes[number - 1];
  if (size === undefined) throw new S3Problem("InvalidPartNumber");
  const start = sizes.slice(0, number - 1).reduce((sum, one) => sum + one, 0);
  return { range: { start, end: start + size - 1 }, count: parts?.length ?? null };
}
