import type { IncomingMessage } from "node:http";
import type { ObjectRow, Operation } from "../../object-store/index.ts";
import { type Facts, readFacts } from "../facts.ts";
import { receiveObject } from "../receive-object.ts";
import {
  type Asked,
  answerEmpty,
  answerXml,
  checkOutcome,
  comingOf,
  findOpen,
  makeChange,
  needBucket,
  needKey,
  needOwner,
  needSigned,
  readCondition,
  readRemoval,
  rightsNow,
  unquote,
  xmlDate,
} from "./asked.ts";
import { openBody } from "./body.ts";
import { expiryHeader } from "./lifecycle.ts";
import { S3Problem } from "./problem.ts";
import { readTagHeader } from "./tagging.ts";
import { decodeText, header, unescapeBytes } from "./wire.ts";
import { leaf, xmlDocument } from "./xml.ts";

/** S3's own limit for what comes in one piece. */
export const MAX_PIECE_BYTES = 5 * 1024 ** 3;
const MAX_META_BYTES = 2_048;
const KEPT = ["cache-control", "content-disposition", "content-language", "expires"];

/** What the headers say of a new object. */
export function readGivenFacts({ wire }: Asked): Facts {
  const meta: Record<string, string> = {};
  const headers: Record<string, string> = {};
  let size = 0;
  for (const [name, value] of wire.headers) {
    if (!name.startsWith("x-amz-meta-")) continue;
    meta[name.slice("x-amz-meta-".length)] = value;
    size += name.length - "x-amz-meta-".length + value.length;
  }
  if (size > MAX_META_BYTES) throw new S3Problem("MetadataTooLarge");
  for (const name of KEPT) {
    const value = header(wire, name);
    if (value !== null) headers[name] = value;
  }
  // How the body travels is no property of the object.
  const encoding = (header(wire, "content-encoding") ?? "").split(",").map((part) => part.trim());
  const kept = encoding.filter((part) => part !== "" && part.toLowerCase() !== "aws-chunked").join(",");
  if (kept !== "") headers["content-encoding"] = kept;
  const tags = readTagHeader(header(wire, "x-amz-tagging") ?? "");
  return { type: header(wire, "content-type") ?? "binary/octet-stream", headers, meta, tags, sums: {} };
}

/** Refuses what this store does not have, rather than leaving it out in silence. */
export function refuseUnknownWishes({ wire }: Asked): void {
  const acl = header(wire, "x-amz-acl");
  if (acl !== null && acl !== "private" && acl !== "bucket-owner-full-control")
    throw new S3Problem("AccessControlListNotSupported");
  const unknown = [...wire.headers.keys()].find(
    (name) =>
      name.startsWith("x-amz-server-side-encryption") ||
      name.startsWith("x-amz-object-lock") ||
      name.startsWith("x-amz-grant-"),
  );
  if (unknown !== undefined) throw new S3Problem("NotImplemented", `${unknown} is not supported.`);
}

/** Throws where the length is missing or beyond what comes in one piece. */
export function checkLength({ wire }: Asked): void {
  const length = header(wire, "x-amz-decoded-content-length") ?? header(wire, "content-length");
  if (length === null && header(wire, "transfer-encoding") === null) throw new S3Problem("MissingContentLength");
  if (length !== null && !/^\d{1,15}$/.test(length)) throw new S3Problem("InvalidArgument");
  if (Number(length) > MAX_PIECE_BYTES) throw new S3Problem("EntityTooLarge");
}

/** Bodies of up to that size are read in one go: a stream that is walked piece by piece costs more than all that is summed up of them. */
const WHOLE_BYTES = 64 * 1024;

async function* whole(request: IncomingMessage): AsyncGenerator<Uint8Array> {
  const pieces: Uint8Array[] = [];
  await new Promise<void>((done, failed) => {
    request.on("data", (piece: Uint8Array) => void pieces.push(piece));
    request.on("end", done);
    request.on("error", failed);
    request.on("close", () => failed(new Error("the body broke off")));
  });
  yield* pieces;
}

function bodyOf(asked: Asked): AsyncIterable<Uint8Array> {
  const length = header(asked.wire, "content-length");
  const isSmall = length !== null && Number(length) <= WHOLE_BYTES;
  return comingOf(asked, "write", isSmall ? whole(asked.request) : asked.request);
}

/** Stores an object whole, or nothing. */
export async function putObject(asked: Asked): Promise<void> {
  const { world, wire } = asked;
  const signed = needSigned(asked);
  const bucket = needBucket(asked, "write");
  const key = needKey(asked);
  refuseUnknownWishes(asked);
  checkLength(asked);
  const when = readCondition(asked);
  const facts = readGivenFacts(asked);
  const body = openBody(wire, bodyOf(asked), signed);
  const { blob, md5, sums } = await receiveObject(world, body.bytes, body.algorithms, body.check);
  const { md5: _, ...kept } = sums;
  const text = JSON.stringify({ ...facts, sums: kept });
  const object = { bucketId: bucket.id, key, etag: md5, facts: text, at: world.clock.now(), when };
  checkOutcome(await makeChange(asked, "write", { kind: "put", ...object, blob }));
  const stored = { key, size: blob?.size ?? 0, modified_at: object.at, facts: text };
  const headers: Record<string, string> = { etag: `"${md5}"`, ...expiryHeader(world, bucket.lifecycle, stored) };
  for (const [algorithm, sum] of Object.entries(kept)) headers[`x-amz-checksum-${algorithm}`] = sum;
  answerEmpty(asked, 200, headers);
}

/** The object that a copy is made of, if the caller may read it and its conditions hold. */
export function findSource(asked: Asked): { bucketId: string; object: ObjectRow } {
  const { world, wire } = asked;
  needSigned(asked);
  needOwner(asked, "x-amz-source-expected-bucket-owner");
  const text = (header(wire, "x-amz-copy-source") ?? "").replace(/^\//, "");
  const [path = "", query] = text.split("?", 2);
  const bytes = unescapeBytes(path);
  const slash = bytes.indexOf(0x2f);
  if (query !== undefined && query !== "versionId=null")
    throw new S3Problem("NotImplemented", "There are no versions.");
  if (slash < 1) throw new S3Problem("InvalidArgument", "x-amz-copy-source must be bucket/key.");
  const bucket = findOpen(world, decodeText(bytes.subarray(0, slash)));
  if (bucket === null) throw new S3Problem("NoSuchBucket");
  if (rightsNow(asked).get(bucket.id)?.read !== true) throw new S3Problem("AccessDenied");
  const object = world.objectStore.findObject(bucket.id, bytes.slice(slash + 1));
  if (object === null) throw new S3Problem("NoSuchKey");
  checkSource(asked, object);
  return { bucketId: bucket.id, object };
}

/** Throws where what the copy depends on does not hold of its source. */
function checkSource({ wire }: Asked, { etag, modified_at }: ObjectRow): void {
  const said = (name: string): string | null => header(wire, `x-amz-copy-source-if-${name}`);
  const [match, none] = [said("match"), said("none-match")];
  const modified = Math.floor(modified_at / 1000) * 1000;
  const isOther = match !== null && !["*", etag].includes(unquote(match));
  const isKnown = none !== null && ["*", etag].includes(unquote(none));
  const isNewer = match === null && modified > Date.parse(said("unmodified-since") ?? "");
  const isOlder = none === null && modified <= Date.parse(said("modified-since") ?? "");
  if (isOther || isKnown || isNewer || isOlder) throw new S3Problem("PreconditionFailed");
}

/** What makes a copy, as its headers say: the row of its source, which has all its parts, is not held while that waits. */
function readCopy(asked: Asked): Extract<Operation, { kind: "copy" }> {
  const { world, wire } = asked;
  const bucket = needBucket(asked, "write");
  const key = needKey(asked);
  refuseUnknownWishes(asked);
  const { bucketId: fromBucket, object: source } = findSource(asked);
  const replaces = header(wire, "x-amz-metadata-directive")?.toUpperCase() === "REPLACE";
  const retags = header(wire, "x-amz-tagging-directive")?.toUpperCase() === "REPLACE";
  const isSame = fromBucket === bucket.id && Buffer.compare(source.key, key) === 0;
  if (isSame && !replaces && !retags)
    throw new S3Problem(
      "InvalidRequest",
      "This copy request is illegal because it is trying to copy an object to itself without changing anything.",
    );
  const before = readFacts(source.facts);
  const given = readGivenFacts(asked);
  const tags = retags ? given.tags : before.tags;
  const parts = before.parts === undefined ? {} : { parts: { ...before.parts, upload: null } };
  const facts = { ...(replaces ? given : before), tags, sums: before.sums, ...parts };
  const from = { bucketId: fromBucket, key: source.key, etag: source.etag };
  const about = { bucketId: bucket.id, key, etag: source.etag, at: world.clock.now(), when: readCondition(asked) };
  return { kind: "copy", from, ...about, facts: JSON.stringify(facts) };
}

/** Makes another object of the same bytes, which are on disk once. */
export async function copyObject(asked: Asked): Promise<void> {
  const copy = readCopy(asked);
  const { at, etag } = copy;
  checkOutcome(await makeChange(asked, "write", copy));
  answerXml(asked, xmlDocument("CopyObjectResult", leaf("LastModified", xmlDate(at)), leaf("ETag", `"${etag}"`)));
}

/** Removes an object; one that is not there is gone as well. */
export async function deleteObject(asked: Asked): Promise<void> {
  const bucket = needBucket(asked, "write");
  const key = needKey(asked);
  const about = (name: string) => header(asked.wire, `x-amz-if-match-${name}`);
  const when = { ...readCondition(asked), ...readRemoval(about("last-modified-time"), about("size")) };
  const outcome = await makeChange(asked, "write", { kind: "remove", bucketId: bucket.id, key, when });
  if (outcome.refused !== "no_object" || when.etag !== undefined) checkOutcome(outcome);
  answerEmpty(asked, 204);
}
