import type { UploadRow } from "../../object-store/index.ts";
import { kindOfSum } from "../checksums.ts";
import { etagOfParts } from "../etag.ts";
import { readFacts } from "../facts.ts";
import { receiveObject } from "../receive-object.ts";
import {
  type Asked,
  answerEmpty,
  answerXml,
  checkOutcome,
  needBucket,
  needKey,
  needSigned,
  readCondition,
  unquote,
  xmlDate,
} from "./asked.ts";
import { openBody, readText } from "./body.ts";
import { readEncoding, readLimit } from "./list-objects.ts";
import { S3Problem } from "./problem.ts";
import { readRange } from "./read-object.ts";
import { joinSums, readWantedSum, sumOf, takePromisedSum, type WantedSum, wantedSumOf } from "./upload-sums.ts";
import { header, param } from "./wire.ts";
import { checkLength, findSource, readGivenFacts, refuseUnknownWishes } from "./write-object.ts";
import { branch, childrenOf, leaf, parseXml, textOf, xmlDocument } from "./xml.ts";

const MOST_PARTS = 10_000;

const textOfKey = (key: Uint8Array): string => Buffer.from(key).toString("utf8");

/** The upload that is asked for, of this bucket and key. */
function needUpload(asked: Asked, right: "read" | "write"): UploadRow {
  const bucket = needBucket(asked, right);
  const upload = asked.world.objectStore.findUpload(param(asked.wire, "uploadId") ?? "");
  if (upload === null || upload.bucket_id !== bucket.id || Buffer.compare(upload.key, needKey(asked)) !== 0)
    throw new S3Problem("NoSuchUpload");
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
    await world.objectStore.change({ kind: "beginUpload", id, bucketId: bucket.id, key, facts, at: world.clock.now() }),
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
  const { world, wire, request } = asked;
  const upload = needUpload(asked, "write");
  const number = readNumber(asked);
  checkLength(asked);
  const body = openBody(wire, request, needSigned(asked));
  const wanted = wantedSumOf(upload.facts);
  const algorithms = [...new Set([...body.algorithms, ...(wanted === null ? [] : [wanted.algorithm])])];
  const { blob, md5: etag, sums } = await receiveObject(world, body.bytes, algorithms, body.check);
  const part = { uploadId: upload.id, number, etag, at: world.clock.now(), blob, ...sumOf(wanted, sums) };
  checkOutcome(await world.objectStore.change({ kind: "putPart", ...part }));
  const headers: Record<string, string> = { etag: `"${etag}"` };
  for (const algorithm of algorithms) headers[`x-amz-checksum-${algorithm}`] = sums[algorithm] ?? "";
  answerEmpty(asked, 200, headers);
}

/** Takes a part from an object that is here already. */
export async function copyPart(asked: Asked): Promise<void> {
  const { world, wire } = asked;
  const upload = needUpload(asked, "write");
  const number = readNumber(asked);
  const { object } = findSource(asked);
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
  const { blob, md5: etag, sums } = await receiveObject(world, bytes, algorithms, () => {});
  const at = world.clock.now();
  const part = { uploadId: upload.id, number, etag, at, blob, ...sumOf(wanted, sums) };
  checkOutcome(await world.objectStore.change({ kind: "putPart", ...part }));
  answerXml(asked, xmlDocument("CopyPartResult", leaf("LastModified", xmlDate(at)), leaf("ETag", `"${etag}"`)));
}

interface NamedPart {
  number: number;
  etag: string;
  /** What the caller says its sum is, by the algorithm of the upload. */
  sum: string | null;
}

function readParts(text: string, wanted: WantedSum | null): NamedPart[] {
  const root = parseXml(text);
  const parts = childrenOf(root, "Part").map((part) => ({
    number: Number(textOf(part, "PartNumber") ?? Number.NaN),
    etag: unquote(textOf(part, "ETag") ?? ""),
    sum: wanted === null ? null : textOf(part, `Checksum${wanted.algorithm.toUpperCase()}`),
  }));
  if (root.name !== "CompleteMultipartUpload" || parts.length === 0 || parts.length > MOST_PARTS)
    throw new S3Problem("MalformedXML");
  if (parts.some(({ number }) => !Number.isInteger(number))) throw new S3Problem("MalformedXML");
  if (parts.some(({ number }, index) => index > 0 && number <= (parts[index - 1]?.number ?? 0)))
    throw new S3Problem("InvalidPartOrder");
  return parts;
}

/** Makes the object of its parts, which are not copied for that. */
export async function completeUpload(asked: Asked): Promise<void> {
  const { world, wire, request } = asked;
  const upload = needUpload(asked, "write");
  const wanted = wantedSumOf(upload.facts);
  const promise = takePromisedSum(wire, wanted);
  const parts = readParts(await readText(promise.wire, request, needSigned(asked)), wanted);
  const there = new Map(world.objectStore.listParts(upload.id).map((part) => [part.number, part]));
  for (const [index, { number, etag, sum }] of parts.entries()) {
    const part = there.get(number);
    if (part?.etag !== etag || (sum !== null && sum !== part.sum)) throw new S3Problem("InvalidPart");
    if (index < parts.length - 1 && part.size < 5 * 1024 * 1024) throw new S3Problem("EntityTooSmall");
  }
  const etag = etagOfParts(parts.map((part) => part.etag));
  const sum =
    wanted === null
      ? null
      : joinSums(
          wanted,
          parts.map(({ number }) => there.get(number)),
        );
  if (promise.sum !== null && promise.sum !== sum) throw new S3Problem("BadDigest");
  const { bucket_id: bucketId, key } = upload;
  const sums = wanted === null || sum === null ? {} : { [wanted.algorithm]: sum };
  const facts = JSON.stringify({ ...readFacts(upload.facts), sums });
  const object = { bucketId, key, etag, facts, at: world.clock.now(), when: readCondition(asked) };
  checkOutcome(await world.objectStore.change({ kind: "completeUpload", uploadId: upload.id, parts, object }));
  const place = `http://${header(wire, "host") ?? ""}${wire.canonicalPath}`;
  const where = [leaf("Location", place), leaf("Bucket", wire.bucket ?? ""), leaf("Key", textOfKey(key))];
  const about = Object.entries(sums).flatMap(([algorithm, text]) => [
    leaf(`Checksum${algorithm.toUpperCase()}`, text),
    leaf("ChecksumType", kindOfSum(text)),
  ]);
  answerXml(asked, xmlDocument("CompleteMultipartUploadResult", ...where, leaf("ETag", `"${etag}"`), ...about));
}

/** Gives an upload up; its parts are gone. */
export async function abortUpload(asked: Asked): Promise<void> {
  const upload = needUpload(asked, "write");
  checkOutcome(await asked.world.objectStore.change({ kind: "abortUpload", uploadId: upload.id }));
  answerEmpty(asked, 204);
}

/** The parts that are there. */
export function listParts(asked: Asked): void {
  const { world, wire } = asked;
  const upload = needUpload(asked, "read");
  const limit = readLimit(asked, "max-parts");
  const after = Number(param(wire, "part-number-marker") ?? 0) || 0;
  const rest = world.objectStore.listParts(upload.id).filter(({ number }) => number > after);
  const shown = rest.slice(0, limit);
  const lines = shown.map(({ number, size, etag, modified_at }) =>
    branch(
      "Part",
      leaf("PartNumber", number),
      leaf("LastModified", xmlDate(modified_at)),
      leaf("ETag", `"${etag}"`),
      leaf("Size", size),
    ),
  );
  const head = [leaf("Bucket", wire.bucket ?? ""), leaf("Key", textOfKey(upload.key)), leaf("UploadId", upload.id)];
  const paging = [
    leaf("StorageClass", "STANDARD"),
    leaf("PartNumberMarker", after),
    leaf("NextPartNumberMarker", shown.at(-1)?.number ?? after),
    leaf("MaxParts", limit),
    leaf("IsTruncated", rest.length > shown.length),
  ];
  answerXml(asked, xmlDocument("ListPartsResult", ...head, ...paging, ...lines));
}

/** Uploads of a bucket that are neither finished nor given up. */
export function listUploads(asked: Asked): void {
  const { world, wire } = asked;
  const bucket = needBucket(asked, "read");
  const write = readEncoding(asked);
  const limit = readLimit(asked, "max-uploads");
  const prefix = param(wire, "prefix") ?? "";
  const marker = param(wire, "key-marker") ?? "";
  // Without an id, everything under the key of the marker has been seen.
  const id = param(wire, "upload-id-marker") ?? (marker === "" ? "" : "\uffff");
  const rows = world.objectStore
    .listUploads(bucket.id, { key: new TextEncoder().encode(marker), id, limit: MOST_PARTS })
    .filter(({ key }) => textOfKey(key).startsWith(prefix));
  const shown = rows.slice(0, limit);
  const lines = shown.map((upload) =>
    branch(
      "Upload",
      leaf("Key", write(upload.key)),
      leaf("UploadId", upload.id),
      leaf("Initiated", xmlDate(upload.started_at)),
      leaf("StorageClass", "STANDARD"),
    ),
  );
  const last = shown.at(-1);
  const next = last === undefined ? [] : [leaf("NextKeyMarker", write(last.key)), leaf("NextUploadIdMarker", last.id)];
  const head = [
    leaf("Bucket", bucket.name),
    leaf("KeyMarker", write(Buffer.from(marker))),
    leaf("UploadIdMarker", param(wire, "upload-id-marker") ?? ""),
  ];
  const rest = [
    leaf("Prefix", write(Buffer.from(prefix))),
    leaf("MaxUploads", limit),
    leaf("IsTruncated", rows.length > shown.length),
  ];
  answerXml(asked, xmlDocument("ListMultipartUploadsResult", ...head, ...next, ...rest, ...lines));
}
