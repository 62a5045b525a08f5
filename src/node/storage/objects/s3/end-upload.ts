import type { ObjectRow, Operation, UploadRow } from "../../object-store/index.ts";
import { kindOfSum } from "../checksums.ts";
import { etagOfParts } from "../etag.ts";
import { type Facts, readFacts } from "../facts.ts";
import {
  type Asked,
  answerEmpty,
  answerXml,
  checkOutcome,
  makeChange,
  needBucket,
  needKey,
  readCondition,
  unquote,
} from "./asked.ts";
import { findUpload, MOST_PARTS, textOfKey } from "./multipart.ts";
import { keepParts } from "./parts-of.ts";
import { S3Problem } from "./problem.ts";
import { readText } from "./read-text.ts";
import { joinSums, takePromisedSum, type WantedSum, wantedSumOf } from "./upload-sums.ts";
import { header, param } from "./wire.ts";
import { childrenOf, leaf, parseXml, textOf, xmlDocument } from "./xml.ts";

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

const etagOf = (parts: readonly NamedPart[]): string => etagOfParts(parts.map(({ etag }) => etag));

/** The object that the upload has become, while it is there; null where there is none. */
function findMade(asked: Asked, { id }: { id: string }): ObjectRow | null {
  const object = asked.world.objectStore.findObject(id, needKey(asked));
  const upload = object === null ? null : (readFacts(object.facts).parts?.upload ?? null);
  return upload !== null && upload === param(asked.wire, "uploadId") ? object : null;
}

/** Which sum an object was made with. */
function madeSumOf({ facts }: ObjectRow): WantedSum | null {
  const { parts, sums } = readFacts(facts);
  const sum = parts?.algorithm ? sums[parts.algorithm] : undefined;
  return parts?.algorithm && sum !== undefined ? { algorithm: parts.algorithm, kind: kindOfSum(sum) } : null;
}

/** Says what was made of the parts. */
function answerMade(asked: Asked, etag: string, { sums }: Pick<Facts, "sums">): void {
  const { wire } = asked;
  const place = `http://${header(wire, "host") ?? ""}${wire.canonicalPath}`;
  const where = [leaf("Location", place), leaf("Bucket", wire.bucket ?? ""), leaf("Key", textOfKey(needKey(asked)))];
  const about = Object.entries(sums).flatMap(([algorithm, text]) => [
    leaf(`Checksum${algorithm.toUpperCase()}`, text),
    leaf("ChecksumType", kindOfSum(text)),
  ]);
  answerXml(asked, xmlDocument("CompleteMultipartUploadResult", ...where, leaf("ETag", `"${etag}"`), ...about));
}

/** The same once more, for whoever did not hear it: nothing is made anew, and what it depended on held then. */
function answerAgain(asked: Asked, bucket: { id: string }, etag: string, promised: string | null): void {
  const made = findMade(asked, bucket);
  if (made === null) throw new S3Problem("NoSuchUpload");
  if (etag !== made.etag) throw new S3Problem("InvalidPart");
  const facts = readFacts(made.facts);
  if (promised !== null && !Object.values(facts.sums).includes(promised)) throw new S3Problem("BadDigest");
  answerMade(asked, made.etag, facts);
}

interface Said {
  wanted: WantedSum | null;
  parts: readonly NamedPart[];
  promised: string | null;
}

/** What makes an object, and the sums that it then has. */
interface Change extends Pick<Facts, "sums"> {
  operation: Operation;
}

/** What makes the object of the parts that are named. Throws where they are not those that are there, or make another sum than promised. */
function changeOf(asked: Asked, upload: UploadRow, { wanted, parts, promised }: Said): Change {
  const { world } = asked;
  const there = new Map(world.objectStore.listParts(upload.id).map((part) => [part.number, part]));
  for (const [index, { number, etag, sum }] of parts.entries()) {
    const part = there.get(number);
    if (part?.etag !== etag || (sum !== null && sum !== part.sum)) throw new S3Problem("InvalidPart");
    if (index < parts.length - 1 && part.size < 5 * 1024 * 1024) throw new S3Problem("EntityTooSmall");
  }
  const chosen = parts.map(({ number }) => there.get(number));
  const sum = wanted === null ? null : joinSums(wanted, chosen);
  if (promised !== null && promised !== sum) throw new S3Problem("BadDigest");
  const facts = {
    ...readFacts(upload.facts),
    sums: wanted === null || sum === null ? {} : { [wanted.algorithm]: sum },
    parts: keepParts(
      upload.id,
      wanted?.algorithm ?? null,
      chosen.map((part) => part?.sum ?? null),
    ),
  };
  const { bucket_id: bucketId, key } = upload;
  const about = { bucketId, key, at: world.clock.now(), when: readCondition(asked) };
  const object = { ...about, etag: etagOf(parts), facts: JSON.stringify(facts) };
  const named = parts.map(({ number, etag }) => ({ number, etag }));
  return { operation: { kind: "completeUpload", uploadId: upload.id, parts: named, object }, sums: facts.sums };
}

/** The end of an upload as its caller says it; nothing is to be changed where it has ended. */
interface End {
  etag: string;
  promised: string | null;
  change: Change | null;
}

async function readEnd(asked: Asked, bucket: { id: string }): Promise<End> {
  const made = findMade(asked, bucket);
  const begun = findUpload(asked, bucket);
  if (made === null && begun === null) throw new S3Problem("NoSuchUpload");
  const wanted = begun === null ? made && madeSumOf(made) : wantedSumOf(begun.facts);
  const { wire, sum: promised } = takePromisedSum(asked.wire, wanted);
  const parts = readParts(await readText({ ...asked, wire }, "write"), wanted);
  const upload = findUpload(asked, bucket);
  const change = upload === null ? null : changeOf(asked, upload, { wanted, parts, promised });
  return { etag: etagOf(parts), promised, change };
}

/** Makes the object of its parts, which are not copied for that. What was read is not held any more while the change waits. */
export async function completeUpload(asked: Asked): Promise<void> {
  const bucket = needBucket(asked, "write");
  const { etag, promised, change } = await readEnd(asked, bucket);
  // Another request may have ended it while this one was read.
  if (change === null) return answerAgain(asked, bucket, etag, promised);
  const { sums } = change;
  const outcome = await makeChange(asked, "write", change.operation);
  if (outcome.refused === "no_upload") return answerAgain(asked, bucket, etag, promised);
  checkOutcome(outcome);
  answerMade(asked, etag, { sums });
}

/** Gives an upload up; its parts are gone. What it has become already stays, and whoever gives it up is told the same. */
export async function abortUpload(asked: Asked): Promise<void> {
  const bucket = needBucket(asked, "write");
  const upload = findUpload(asked, bucket);
  if (upload === null && findMade(asked, bucket) === null) throw new S3Problem("NoSuchUpload");
  if (upload !== null) checkOutcome(await makeChange(asked, "write", { kind: "abortUpload", uploadId: upload.id }));
  answerEmpty(asked, 204);
}
