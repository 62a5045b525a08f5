import { type ByteRange, readByteRange } from "../../../lib/byte-range.ts";
import { minutes } from "../../../lib/duration.ts";
import { parseJson } from "../../../lib/json.ts";
import { COMPONENT, streamOf } from "../objects/index.ts";
import { fail } from "./contract.ts";
import { getFile, type Own } from "./logic.ts";
import type { By } from "./needs.ts";
import { getVersion } from "./versions.ts";

const PURPOSE = "drive.download";
/** How long an address to download from may be used. */
const LIVES_MS = minutes(5);

/** An address that one file, or a version of it, is read from for a short time. Throws `drive_not_found`, `drive_version_not_found`. */
export function signDownload(own: Own, by: By, id: string, versionId: string | null): string {
  const { name } = getFile(own, by.user_id, id);
  if (versionId !== null) getVersion(own, by.user_id, id, versionId);
  const sealed = own.seal.seal(PURPOSE, JSON.stringify([by.user_id, id, own.clock.now() + LIVES_MS, versionId]));
  own.db.tx(() => own.bus.emit("drive.downloaded", { ...by, node_id: id, name }));
  return `/api/drive/content/${sealed}`;
}

function openSigned({ seal, clock }: Own, signed: string): { userId: string; id: string; versionId: string | null } {
  let plain: unknown;
  try {
    plain = parseJson(seal.open(PURPOSE, signed));
  } catch {
    throw fail("drive_link_expired");
  }
  const [userId, id, until, versionId]: unknown[] = Array.isArray(plain) ? plain : [];
  if (typeof userId !== "string" || typeof id !== "string" || typeof until !== "number" || until <= clock.now())
    throw fail("drive_link_expired");
  return { userId, id, versionId: typeof versionId === "string" ? versionId : null };
}

const escapeByte = (letter: string): string => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;

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

/** The answer with the bytes of a content under that name, or with those the headers ask for. Throws `drive_not_found`, `drive_range_outside`. */
export async function answerWith(
  { contents }: Pick<Own, "contents">,
  fileName: string,
  { sha256, size_bytes: size }: { sha256: string; size_bytes: number },
  asked: Headers | null = null,
): Promise<Response> {
  const etag = `"${sha256}"`;
  const range = asked && rangeOf(asked, etag, size);
  const { start, end } = range ?? { start: 0, end: size - 1 };
  const length = end - start + 1;
  const bytes = await contents.open(sha256, { start, length });
  const name = encodeURIComponent(fileName).replace(/['()*]/g, escapeByte);
  return new Response(streamOf(bytes), {
    status: range === null ? 200 : 206,
    headers: {
      // What somebody stored never becomes a page of this origin.
      "content-type": "application/octet-stream",
      "content-disposition": `attachment; filename*=UTF-8''${name}`,
      "content-length": String(length),
      ...(asked !== null && { etag, "accept-ranges": "bytes" }),
      ...(range !== null && { "content-range": `bytes ${start}-${end}/${size}` }),
      "content-security-policy": "sandbox; default-src 'none'",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
    },
  });
}

/** The file that an address was made for. Throws `component_not_installed`, `drive_link_expired`, and what `answerWith` throws. */
export async function readSigned(own: Own, signed: string, asked: Headers): Promise<Response> {
  own.components.require(COMPONENT);
  const { userId, id, versionId } = openSigned(own, signed);
  const file = getFile(own, userId, id);
  return answerWith(own, file.name, versionId === null ? file : getVersion(own, userId, id, versionId), asked);
}
