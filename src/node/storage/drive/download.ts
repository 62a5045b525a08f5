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

/** The answer with the bytes of a content under that name. Throws `drive_not_found`. */
export async function answerWith(
  { contents }: Pick<Own, "contents">,
  fileName: string,
  { sha256, size_bytes: length }: { sha256: string; size_bytes: number },
): Promise<Response> {
  const bytes = await contents.open(sha256, { start: 0, length });
  const name = encodeURIComponent(fileName).replace(/['()*]/g, escapeByte);
  return new Response(streamOf(bytes), {
    headers: {
      // What somebody stored never becomes a page of this origin.
      "content-type": "application/octet-stream",
      "content-disposition": `attachment; filename*=UTF-8''${name}`,
      "content-length": String(length),
      "content-security-policy": "sandbox; default-src 'none'",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
    },
  });
}

/** The file that an address was made for. Throws `component_not_installed`, `drive_link_expired`, `drive_not_found`. */
export async function readSigned(own: Own, signed: string): Promise<Response> {
  own.components.require(COMPONENT);
  const { userId, id, versionId } = openSigned(own, signed);
  const file = getFile(own, userId, id);
  return answerWith(own, file.name, versionId === null ? file : getVersion(own, userId, id, versionId));
}
