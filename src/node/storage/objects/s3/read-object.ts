import { type ByteRange, readByteRange } from "../../../../lib/byte-range.ts";
import type { ObjectRow } from "../../object-store/index.ts";
import { ALGORITHMS, kindOfSum } from "../checksums.ts";
import { readFacts } from "../facts.ts";
import { type Asked, answerEmpty, httpDate, needBucket, needKey } from "./asked.ts";
import { expiryHeader } from "./lifecycle.ts";
import { readPartNumber } from "./parts-of.ts";
import { S3Problem, slowDown } from "./problem.ts";
import { drained, endAnswer } from "./unread.ts";
import { header, param } from "./wire.ts";

const OVERRIDES = [
  "cache-control",
  "content-disposition",
  "content-encoding",
  "content-language",
  "content-type",
  "expires",
];

const sameEtag = (list: string, etag: string): boolean =>
  list.split(",").some((one) => ["*", etag].includes(one.trim().replace(/^(?:W\/)?"(.*)"$/, "$1")));

/** Whether the conditions of a read hold: 200, or the status that says they do not. */
function judge(asked: Asked, { etag, modified_at }: ObjectRow): 200 | 304 | 412 {
  const modified = Math.floor(modified_at / 1000) * 1000;
  const match = header(asked.wire, "if-match");
  const none = header(asked.wire, "if-none-match");
  const since = Date.parse(header(asked.wire, "if-modified-since") ?? "");
  const unmodified = Date.parse(header(asked.wire, "if-unmodified-since") ?? "");
  if (match !== null && !sameEtag(match, etag)) return 412;
  if (match === null && modified > unmodified) return 412;
  if (none !== null && sameEtag(none, etag)) return 304;
  return none === null && modified <= since ? 304 : 200;
}

/** The bytes that a Range header asks for; null for all of them. Throws InvalidRange. */
export function readRange(text: string | null, size: number): ByteRange | null {
  const range = readByteRange(text, size);
  if (range !== "outside") return range;
  const headers = { "content-range": `bytes */${size}` };
  throw new S3Problem("InvalidRange", undefined, { ActualObjectSize: String(size) }, headers);
}

/** An object that is answered as a page of a website. */
interface Page {
  /** 404 for the page that says that there is none; conditions and ranges mean nothing then. */
  status: 200 | 404;
  /** The website has a host of its own, and so an origin of its own. */
  hasOwnHost: boolean;
}

/**
 * What somebody made public never runs as a page of this server: a file runs nothing at all, and the scripts of a website belong to no
 * origin unless it has a host of its own. Its parts are for everybody, so pages without an origin may load them.
 */
function shieldOf(page: Page | null): Record<string, string> {
  const shield = { "x-content-type-options": "nosniff" };
  if (page === null) return { ...shield, "content-security-policy": "sandbox; default-src 'none'" };
  if (page.hasOwnHost) return shield;
  const may = "sandbox allow-scripts allow-forms allow-popups allow-modals allow-downloads";
  return { ...shield, "content-security-policy": may, "access-control-allow-origin": "*" };
}

/** The headers that an object is answered with. */
function headersOf(
  asked: Asked,
  object: ObjectRow,
  page: Page | null,
  /** Of the bytes that are answered; null for all of the object. */
  own: Record<string, string> | null,
): Record<string, string> {
  const { type, headers, meta, sums, tags } = readFacts(object.facts);
  const answer: Record<string, string> = {
    ...headers,
    "content-type": type,
    etag: `"${object.etag}"`,
    "last-modified": httpDate(object.modified_at),
    "accept-ranges": "bytes",
  };
  for (const [name, value] of Object.entries(meta)) answer[`x-amz-meta-${name}`] = value;
  if (Object.keys(tags).length > 0) answer["x-amz-tagging-count"] = String(Object.keys(tags).length);
  if (header(asked.wire, "x-amz-checksum-mode")?.toUpperCase() === "ENABLED") {
    const shown = own ?? sums;
    for (const algorithm of ALGORITHMS)
      if (shown[algorithm] !== undefined) answer[`x-amz-checksum-${algorithm}`] = shown[algorithm];
    const [first] = Object.values(sums);
    if (first !== undefined && Object.keys(shown).length > 0) answer["x-amz-checksum-type"] = kindOfSum(first);
  }
  for (const name of OVERRIDES) {
    const value = param(asked.wire, `response-${name}`);
    if (value === null) continue;
    if (asked.signed === null)
      throw new S3Problem("InvalidRequest", "Request specific response headers cannot be used for anonymous requests.");
    if (!/^[\x20-\x7e]*$/.test(value)) throw new S3Problem("InvalidArgument");
    answer[name] = value;
  }
  if (asked.signed === null) Object.assign(answer, shieldOf(page));
  return answer;
}

/** Answers GET and HEAD of an object, or of a page of a website. */
export async function readObject(asked: Asked, page: Page | null = null): Promise<void> {
  const { world, wire, signed, request, response } = asked;
  const bucket = needBucket(asked, "read");
  const key = needKey(asked);
  const object = world.objectStore.findObject(bucket.id, key);
  if (object === null) throw new S3Problem("NoSuchKey", undefined, { Key: Buffer.from(key).toString("utf8") });
  const isErrorPage = page?.status === 404;
  const status = isErrorPage ? 200 : judge(asked, object);
  if (status === 412) throw new S3Problem("PreconditionFailed");
  const part = isErrorPage ? null : await readPartNumber(asked, object);
  const range = isErrorPage ? null : (part?.range ?? readRange(header(wire, "range"), object.size));
  const own = part?.sums ?? (range === null ? null : {});
  const headers = { ...headersOf(asked, object, page, own), ...expiryHeader(world, bucket.lifecycle, object) };
  const answered = isErrorPage ? 404 : range === null ? 200 : 206;
  if (status === 304) {
    response.writeHead(304, { etag: headers["etag"] ?? "", "last-modified": headers["last-modified"] ?? "" });
    return void response.end();
  }
  const { start, end } = range ?? { start: 0, end: object.size - 1 };
  const length = end - start + 1;
  headers["content-length"] = String(length);
  if (part !== null && part.count !== null) headers["x-amz-mp-parts-count"] = String(part.count);
  if (range !== null && length > 0) headers["content-range"] = `bytes ${start}-${end}/${object.size}`;
  if (wire.method === "HEAD" || length === 0) {
    if (length === 0) return answerEmpty(asked, answered, headers);
    response.writeHead(answered, headers);
    return void response.end();
  }
  const small = await world.objectStore.readSmall(object);
  if (small !== null) {
    response.writeHead(answered, headers);
    return endAnswer(asked, small.subarray(start, start + length));
  }
  if (!world.connections.letRead(request, response, signed?.key.accessKey ?? null)) throw slowDown();
  const bytes = await world.objectStore.open(object, { start, length });
  // The first piece is there before anything is said, so that damage found at once is an error and not a torn answer.
  const first = await bytes.next();
  response.writeHead(answered, headers);
  const send = async (piece: Uint8Array): Promise<void> => {
    // Whoever may not read it any more gets no more of it, however slowly it goes.
    needBucket(asked, "read");
    if (!response.write(piece)) await drained(asked);
    world.connections.hasTaken(response);
  };
  try {
    if (first.done !== true) await send(first.value);
    for await (const piece of bytes) await send(piece);
    endAnswer(asked);
  } finally {
    await bytes.return();
  }
}
