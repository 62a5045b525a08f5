import type { UploadRow } from "../../object-store/index.ts";
import { receiveObject } from "../receive-object.ts";
import {
  type Asked,
  answerEmpty,
  answerXml,
  checkOutcome,
  comingOf,
  makeChange,
  needBucket,
  needKey,
  needSigned,
  othersFirst,
  rightsNow,
  xmlDate,
} from "./asked.ts";
import { openBody } from "./body.ts";
import { readLimit } from "./list-objects.ts";
import { S3Problem } from "./problem.ts";
import { readRange } from "./read-object.ts";
import { readWantedSum, sumOf, wantedSumOf, writeSum, writeWanted } from "./upload-sums.ts";
import { header, param } from "./wire.ts";
import { checkLength, findSource, readGivenFacts, refuseUnknownWishes } from "./write-object.ts";
import { branch, leaf, xmlDocument } from "./xml.ts";

/** S3's own limit for the parts of an upload. */
export const MOST_PARTS = 10_000;

/** A key as XML says it. */
export const textOfKey = (key: Uint8Array): string => Buffer.from(key).toString("utf8");

/** The upload that is asked for, of this bucket and key; null where it is not on its way. */
export function findUpload(asked: Asked, { id }: { id: string }): UploadRow | null {
  const upload = asked.world.objectStore.findUpload(param(asked.wire, "uploadId") ?? "");
  const isOther = upload?.bucket_id !== id || Buffer.compare(upload.key, needKey(asked)) !== 0;
  return isOther ? null : upload;
}

/** The same. Throws NoSuchUpload. */
function needUpload(asked: Asked, right: "read" | "write"): UploadRow {
  const upload = findUpload(asked, needBucket(asked, right));
  if (upload === null) throw new S3Problem("NoSuchUpload");
  return upload;
}

/** Begins an upload in parts. */
export async function beginUpload(asked: Asked): Promise<void> {
  const { world } = asked;
  const bucket = needBucket(asked, "write");
  needSigned(asked);
  const key = needKey(asked);
  refuseUnknownWishes(asked);
  const id = world.ids.next("upl");
  const sum = readWantedSum(asked.wire);
  const facts = JSON.stringify({ ...readGivenFacts(asked), sum });
  checkOutcome(
    await makeChange(asked, "write", {
      kind: "beginUpload",
      id,
      bucketId: bucket.id,
      key,
      facts,
      at: world.clock.now(),
    }),
  );
  const where = [leaf("Bucket", bucket.name), leaf("Key", textOfKey(key)), leaf("UploadId", id)];
  const told =
    sum === null ? {} : { "x-amz-checksum-algorithm": sum.algorithm.toUpperCase(), "x-amz-checksum-type": sum.kind };
  answerXml(asked, xmlDocument("InitiateMultipartUploadResult", ...where), 200, told);
}

function readNumber({ wire }: Asked): number {
  const text = param(wire, "partNumber") ?? "";
  const number = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > MOST_PARTS)
    throw new S3Problem("InvalidArgument", "Part number must be an integer between 1 and 10000.");
  return number;
}

/** Takes a part; one of the same number takes the place of the one before. */
export async function putPart(asked: Asked): Promise<void> {
  const { world, wire } = asked;
  const upload = needUpload(asked, "write");
  const number = readNumber(asked);
  checkLength(asked);
  const body = openBody(wire, comingOf(asked, "write"), needSigned(asked));
  const wanted = wantedSumOf(upload.facts);
  const algorithms = [...new Set([...body.algorithms, ...(wanted === null ? [] : [wanted.algorithm])])];
  const { blob, md5: etag, sums } = await receiveObject(world, body.bytes, algorithms, body.check);
  const part = { uploadId: upload.id, number, etag, at: world.clock.now(), blob, ...sumOf(wanted, sums) };
  checkOutcome(await makeChange(asked, "write", { kind: "putPart", ...part }));
  const headers: Record<string, string> = { etag: `"${etag}"` };
  for (const algorithm of algorithms) headers[`x-amz-checksum-${algorithm}`] = sums[algorithm] ?? "";
  answerEmpty(asked, 200, headers);
}

/** Passes bytes of this store on, with others going between its pieces: nothing else holds them up. Throws where nobody waits any more. */
async function* atPace(asked: Asked, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const piece of bytes) {
    yield piece;
    await othersFirst(asked);
  }
}

/** Takes a part from an object that is here already. */
export async function copyPart(asked: Asked): Promise<void> {
  const { world, wire } = asked;
  const upload = needUpload(asked, "write");
  const number = readNumber(asked);
  const { bucketId, object } = findSource(asked);
  const text = header(wire, "x-amz-copy-source-range");
  const range = readRange(text, object.size);
  if (text !== null && (range === null || !/^bytes=\d+-\d+$/.test(text)))
    throw new S3Problem("InvalidArgument", "x-amz-copy-source-range must be bytes=first-last.");
  if (text !== null && Number(/\d+$/.exec(text)?.[0]) >= object.size)
    throw new S3Problem("InvalidRange", `The range is not valid for a source of ${object.size} bytes.`);
  const { start, end } = range ?? { start: 0, end: object.size - 1 };
  const bytes = await world.objectStore.open(object, { start, length: end - start + 1 });
  const wanted = wantedSumOf(upload.facts);
  const algorithms = wanted === null ? [] : [wanted.algorithm];
  const mayStill = (): void => {
    // Many bytes take their time.
    if (rightsNow(asked).get(bucketId)?.read !== true) throw new S3Problem("AccessDenied");
  };
  const received = receiveObject(world, atPace(asked, bytes), algorithms, mayStill);
  // Where there was no room for the first of them, nobody has begun to read.
  const { blob, md5: etag, sums } = await received.finally(() => bytes.return());
  const at = world.clock.now();
  const kept = sumOf(wanted, sums);
  const part = { uploadId: upload.id, number, etag, at, blob, ...kept };
  checkOutcome(await makeChange(asked, "write", { kind: "putPart", ...part }));
  const told = [leaf("LastModified", xmlDate(at)), leaf("ETag", `"${etag}"`)];
  answerXml(asked, xmlDocument("CopyPartResult", ...told, writeSum(wanted?.algorithm ?? null, kept.sum ?? null)));
}

/** The parts that are there. */
export function listParts(asked: Asked): void {
  const { world, wire } = asked;
  const upload = needUpload(asked, "read");
  const limit = readLimit(asked, "max-parts");
  const after = Number(param(wire, "part-number-marker") ?? 0) || 0;
  const rest = world.objectStore.listParts(upload.id, { after, limit: limit + 1 });
  const shown = rest.slice(0, limit);
  const wanted = wantedSumOf(upload.facts);
  const lines = shown.map(({ number, size, etag, modified_at, sum }) =>
    branch(
      "Part",
      leaf("PartNumber", number),
      leaf("LastModified", xmlDate(modified_at)),
      leaf("ETag", `"${etag}"`),
      leaf("Size", size),
      writeSum(wanted?.algorithm ?? null, sum),
    ),
  );
  const head = [leaf("Bucket", wire.bucket ?? ""), leaf("Key", textOfKey(upload.key)), leaf("UploadId", upload.id)];
  const paging = [
    leaf("StorageClass", "STANDARD"),
    leaf("PartNumberMarker", after),
    leaf("NextPartNumberMarker", shown.at(-1)?.number ?? after),
    leaf("MaxParts", limit),
    leaf("IsTruncated", rest.length > shown.length),
    writeWanted(wanted),
  ];
  answerXml(asked, xmlDocument("ListPartsResult", ...head, ...paging, ...lines));
}
