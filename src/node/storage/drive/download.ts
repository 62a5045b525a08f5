import { alsoAsk } from "../../../kernel/http/right-to-read.ts";
import { type ByteRange, readByteRange } from "../../../lib/byte-range.ts";
import { hours, minutes } from "../../../lib/duration.ts";
import { parseJson } from "../../../lib/json.ts";
import { streamOf } from "../objects/index.ts";
import { fail } from "./contract.ts";
import { dispositionOf } from "./disposition.ts";
import type { Receiver } from "./going-out.ts";
import { getFile, getWay, type Own } from "./logic.ts";
import { HEAD_BYTES, mediaOf } from "./media.ts";
import type { By } from "./needs.ts";
import { type Content, readBytes, readStart } from "./read-content.ts";
import { type CameBy, isActiveUser, isStillIn } from "./store.ts";
import { getVersion } from "./versions.ts";
import { answerZip } from "./zip-folder.ts";

const PURPOSE = "drive.download";
/** How long an address to download from may be used. */
const LIVES_MS = minutes(5);
/** How long one to look at may be: a film that is stopped for a while goes on. */
const SHOWS_MS = hours(1);
/**
 * Up to here an answer is read whole before it goes out: the runtime says the length of what it holds, and of a stream it never does. More
 * would be held for everybody who reads slowly.
 */
const WHOLE_BYTES = 64 * 1024;

/** What an address leads to. */
interface Address {
  userId: string;
  id: string;
  versionId: string | null;
  /** It is looked at in the browser rather than saved. */
  isShown: boolean;
  /** What its maker came in with; with the end of that it leads nowhere. */
  by: CameBy;
}

/** Who makes an address. */
export interface Maker extends By {
  with: CameBy;
}

/** An address that a content is read from for a while by whoever has it. */
export function signAddress({ seal, clock }: Own, { userId, id, versionId, isShown, by }: Address): string {
  const until = clock.now() + (isShown ? SHOWS_MS : LIVES_MS);
  const { session_id, key_id, device_id } = by;
  const plain = [userId, id, until, versionId, isShown, session_id, key_id, device_id];
  return `/api/drive/content/${seal.seal(PURPOSE, JSON.stringify(plain))}`;
}

/** An address that one file, a version of it or a folder is read from for a short time. Throws `drive_not_found`, `drive_version_not_found`. */
export function signDownload(own: Own, { with: cameBy, ...by }: Maker, id: string, versionId: string | null): string {
  const [{ name }] = getWay(own, by.user_id, id);
  if (versionId !== null) getVersion(own, by.user_id, id, versionId);
  const address = signAddress(own, { userId: by.user_id, id, versionId, isShown: false, by: cameBy });
  own.db.record(() => own.bus.emit("drive.downloaded", { ...by, node_id: id, name }));
  return address;
}

function openSigned({ seal, clock }: Own, signed: string): Address {
  let plain: unknown;
  try {
    plain = parseJson(seal.open(PURPOSE, signed));
  } catch {
    throw fail("drive_link_expired");
  }
  const [userId, id, until, versionId, isShown, session, key, device]: unknown[] = Array.isArray(plain) ? plain : [];
  if (typeof userId !== "string" || typeof id !== "string" || typeof until !== "number" || until <= clock.now())
    throw fail("drive_link_expired");
  const idOf = (value: unknown): string | null => (typeof value === "string" ? value : null);
  const by = { session_id: idOf(session), key_id: idOf(key), device_id: idOf(device) };
  return { userId, id, versionId: idOf(versionId), isShown: isShown === true, by };
}

/**
 * The bytes that a request asks for of a content with this etag; null for all of them, also where the request goes on with another
 * content than this one. Throws `drive_range_outside`.
 */
function rangeOf(headers: Headers, etag: string, size: number): ByteRange | null {
  const whole = headers.get("if-range");
  if (whole !== null && whole.trim() !== etag) return null;
  const range = readByteRange(headers.get("range"), size);
  if (range !== "outside") return range;
  throw fail("drive_range_outside", { size_bytes: size }, { "content-range": `bytes */${size}` });
}

// What somebody stored never becomes a page of this origin.
const SAVED = {
  "content-type": "application/octet-stream",
  "content-security-policy": "sandbox; default-src 'none'",
};

/** The headers of a content that is looked at. Browsers show a PDF only outside a sandbox; their viewers run nothing as this origin. */
async function headersToShow(own: Pick<Own, "contents">, content: Content): Promise<Record<string, string>> {
  const { kind, type } = mediaOf(await readStart(own.contents, content, HEAD_BYTES));
  if (kind === "none") return SAVED;
  if (kind !== "pdf") return { ...SAVED, "content-type": type };
  return {
    "content-type": type,
    "content-security-policy":
      "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'",
    "x-frame-options": "SAMEORIGIN",
  };
}

/**
 * The answer with the bytes of a content under that name, or with those the headers ask for. Throws `drive_not_found`, `drive_range_outside`,
 * `too_many_requests`.
 */
export async function answerWith(
  own: Pick<Own, "contents" | "goingOut">,
  reader: Receiver,
  fileName: string,
  { sha256, size_bytes: size }: Content,
  asked: Headers | null = null,
  isShown = false,
  etag = `"${sha256}"`,
): Promise<Response> {
  const range = asked && rangeOf(asked, etag, size);
  const { start, end } = range ?? { start: 0, end: size - 1 };
  const length = end - start + 1;
  const shown = isShown ? await headersToShow(own, { sha256, size_bytes: size }) : SAVED;
  const isWhole = length <= WHOLE_BYTES;
  const body = isWhole
    ? await readBytes(own.contents, sha256, { start, length })
    : streamOf(reader.request, await own.goingOut.open(reader, () => own.contents.open(sha256, { start, length })));
  return new Response(body, {
    status: range === null ? 200 : 206,
    headers: {
      ...shown,
      "content-disposition": dispositionOf(shown === SAVED ? "attachment" : "inline", fileName),
      "content-length": String(length),
      ...(asked !== null && { etag, "accept-ranges": "bytes" }),
      ...(range !== null && { "content-range": `bytes ${start}-${end}/${size}` }),
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
    },
  });
}

/** The file that an address was made for. Throws `component_not_installed`, `drive_link_expired`, and what `answerWith` throws. */
export async function readSigned(own: Own, signed: string, request: Request, ip: string): Promise<Response> {
  own.earlier.requireDrive();
  const { userId, id, versionId, isShown, by } = openSigned(own, signed);
  const requireMaker = (): void => {
    if (!isActiveUser(own.db, userId) || !isStillIn(own.db, by)) throw fail("drive_link_expired");
  };
  requireMaker();
  alsoAsk(request, requireMaker);
  const reader = { key: userId, ip, request };
  const [node] = getWay(own, userId, id);
  if (node.sha256 === null && versionId === null) return answerZip(own, node, reader);
  const file = getFile(own, userId, id);
  const content = versionId === null ? file : getVersion(own, userId, id, versionId);
  return answerWith(own, reader, file.name, content, request.headers, isShown);
}
