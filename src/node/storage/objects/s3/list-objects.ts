import type { ListPage, ListQuery } from "../../object-store/index.ts";
import { type Asked, answerXml, needBucket, needSigned, othersFirst, xmlDate } from "./asked.ts";
import { S3Problem } from "./problem.ts";
import { escapeBytes, param } from "./wire.ts";
import { branch, leaf, xmlDocument } from "./xml.ts";

const MOST = 1_000;
/** Bytes of entries from which on a list goes on with another page: names may be long, and XML makes more of them. */
export const MOST_BYTES = 1_048_576;
/** Bytes of entries after which others may come between. */
const STEP_BYTES = 65_536;
const encoder = new TextEncoder();

/** How many are asked for. */
export function readLimit(asked: Asked, name: string): number {
  const text = param(asked.wire, name);
  if (text === null || text === "") return MOST;
  if (!/^\d{1,10}$/.test(text) || Number(text) > 2 ** 31 - 1)
    throw new S3Problem("InvalidArgument", `${name} must be 0 to 2147483647.`);
  return Math.min(MOST, Number(text));
}

/** How names are written in the answer: as they are, or escaped for those who read XML 1.0. */
export function readEncoding(asked: Asked): (bytes: Uint8Array) => string {
  const type = param(asked.wire, "encoding-type");
  if (type !== null && type !== "" && type !== "url")
    throw new S3Problem("InvalidArgument", "encoding-type must be url.");
  return type === "url" ? (bytes) => escapeBytes(bytes, true) : (bytes) => Buffer.from(bytes).toString("utf8");
}

const OWNER = branch("Owner", leaf("ID", "orrery"), leaf("DisplayName", "orrery"));

/** A page of a bucket, which others may come between: of very many folders each takes a look of its own. */
const readPage = (asked: Asked, bucketId: string, query: ListQuery): Promise<ListPage> =>
  asked.world.objectStore.list(bucketId, query, () => othersFirst(asked));

/** How entries of a list are written. */
interface Writing {
  object(row: ListPage["objects"][number]): string;
  folder(name: Uint8Array): string;
}

interface Written {
  contents: string[];
  folders: string[];
  /** Where the next page begins; null when there is no more. */
  next: Uint8Array | null;
}

/** Writes the entries of a page in their order, as far as there is room for them. */
async function writePage(asked: Asked, { objects, prefixes, next }: ListPage, write: Writing): Promise<Written> {
  const contents: string[] = [];
  const folders: string[] = [];
  let last: Uint8Array | null = null;
  for (let bytes = 0, step = STEP_BYTES; ; ) {
    if (bytes > step) {
      await othersFirst(asked);
      step = bytes + STEP_BYTES;
    }
    const object = objects[contents.length];
    const folder = prefixes[folders.length];
    const isObject = object !== undefined && (folder === undefined || Buffer.compare(object.key, folder) < 0);
    const name = isObject ? object.key : folder;
    if (name === undefined) return { contents, folders, next };
    const line = isObject ? write.object(object) : write.folder(name);
    bytes += Buffer.byteLength(line);
    if (bytes > MOST_BYTES) return { contents, folders, next: last };
    (isObject ? contents : folders).push(line);
    last = name;
  }
}

/** Answers ListObjects and ListObjectsV2: one page in the order of bytes. */
export async function listObjects(asked: Asked): Promise<void> {
  const { wire } = asked;
  const bucket = needBucket(asked, "read");
  const isV2 = param(wire, "list-type") === "2";
  const write = readEncoding(asked);
  const token = param(wire, "continuation-token");
  if (token === "") throw new S3Problem("InvalidArgument", "The continuation token provided is incorrect.");
  const start = param(wire, isV2 ? "start-after" : "marker") ?? "";
  const prefix = encoder.encode(param(wire, "prefix") ?? "");
  const delimiter = encoder.encode(param(wire, "delimiter") ?? "");
  const limit = readLimit(asked, "max-keys");
  const after = isV2 && token !== null ? new Uint8Array(Buffer.from(token, "base64url")) : encoder.encode(start);
  const page = await readPage(asked, bucket.id, { prefix, delimiter, after, limit });
  const showsOwner = !isV2 || param(wire, "fetch-owner") === "true";
  const { contents, folders, next } = await writePage(asked, page, {
    object: ({ key, size, etag, modified_at }) =>
      branch(
        "Contents",
        leaf("Key", write(key)),
        leaf("LastModified", xmlDate(modified_at)),
        leaf("ETag", `"${etag}"`),
        leaf("Size", size),
        leaf("StorageClass", "STANDARD"),
        showsOwner ? OWNER : "",
      ),
    folder: (name) => branch("CommonPrefixes", leaf("Prefix", write(name))),
  });
  const common = [
    leaf("Name", bucket.name),
    leaf("Prefix", write(prefix)),
    delimiter.length > 0 ? leaf("Delimiter", write(delimiter)) : "",
    leaf("MaxKeys", limit),
    param(wire, "encoding-type") === "url" ? leaf("EncodingType", "url") : "",
    leaf("IsTruncated", next !== null),
  ];
  const paging = isV2
    ? [
        leaf("KeyCount", contents.length + folders.length),
        token !== null ? leaf("ContinuationToken", token) : "",
        start !== "" ? leaf("StartAfter", write(encoder.encode(start))) : "",
        next !== null ? leaf("NextContinuationToken", Buffer.from(next).toString("base64url")) : "",
      ]
    : [leaf("Marker", write(encoder.encode(start))), next !== null ? leaf("NextMarker", write(next)) : ""];
  answerXml(asked, xmlDocument("ListBucketResult", ...common, ...paging, ...contents, ...folders));
}

/**
 * Answers ListObjectVersions: of each object there is one version, whose id is null, as in a bucket that never kept any. Programs
 * that empty buckets ask so.
 */
export async function listVersions(asked: Asked): Promise<void> {
  const { wire } = asked;
  needSigned(asked);
  const bucket = needBucket(asked, "read");
  const write = readEncoding(asked);
  const marker = param(wire, "key-marker") ?? "";
  const prefix = encoder.encode(param(wire, "prefix") ?? "");
  const delimiter = encoder.encode(param(wire, "delimiter") ?? "");
  const limit = readLimit(asked, "max-keys");
  const query = { prefix, delimiter, after: encoder.encode(marker), limit };
  const page = await readPage(asked, bucket.id, query);
  const { contents, folders, next } = await writePage(asked, page, {
    object: ({ key, size, etag, modified_at }) =>
      branch(
        "Version",
        leaf("Key", write(key)),
        leaf("VersionId", "null"),
        leaf("IsLatest", true),
        leaf("LastModified", xmlDate(modified_at)),
        leaf("ETag", `"${etag}"`),
        leaf("Size", size),
        leaf("StorageClass", "STANDARD"),
        OWNER,
      ),
    folder: (name) => branch("CommonPrefixes", leaf("Prefix", write(name))),
  });
  const about = [
    leaf("Name", bucket.name),
    leaf("Prefix", write(prefix)),
    leaf("KeyMarker", write(encoder.encode(marker))),
    leaf("VersionIdMarker", param(wire, "version-id-marker") ?? ""),
    delimiter.length > 0 ? leaf("Delimiter", write(delimiter)) : "",
    leaf("MaxKeys", limit),
    param(wire, "encoding-type") === "url" ? leaf("EncodingType", "url") : "",
    leaf("IsTruncated", next !== null),
    next === null ? "" : leaf("NextKeyMarker", write(next)) + leaf("NextVersionIdMarker", "null"),
  ];
  answerXml(asked, xmlDocument("ListVersionsResult", ...about, ...contents, ...folders));
}
