import { tooManyRequests } from "../../../kernel/http/too-many-requests.ts";
import type { Places } from "../../../lib/places.ts";
import { type ZipEntry, zipOf } from "../../../lib/zip.ts";
import { streamOf } from "../objects/index.ts";
import { fail, MAX_ZIP_NODES } from "./contract.ts";
import { dispositionOf } from "./disposition.ts";
import { openUnderPlace } from "./held-place.ts";
import type { Own } from "./logic.ts";
import type * as store from "./store.ts";
import { walkBelow } from "./walk-below.ts";

/** Archives that are on their way at a time, in all and for one user or link. */
const MOST = 8;
const MOST_EACH = 2;
const RETRY_S = 30;

/**
 * A name as a part of a path that no program takes for more than that: what separates folders or names a drive on some system looks the
 * same, but is another letter.
 */
export const safePart = (name: string): string =>
  name
    .replaceAll("\\", "\uff3c")
    .replace(/^([A-Za-z]):/, "$1\uff1a")
    .replace(/\p{Cc}/gu, (letter) => String.fromCharCode(0x2400 + Math.min(letter.charCodeAt(0), 0x21)));

/** A folder with all that lies in it, as the archive has it. Throws `drive_zip_limit`. */
async function entriesOf(own: Own, top: store.NodeRow): Promise<ZipEntry[]> {
  const entries: ZipEntry[] = [{ name: safePart(top.name), at: top.changed_at, content: null }];
  const pathOf = (row: store.NodeRow, folder: string): string => `${folder}/${safePart(row.name)}`;
  for await (const part of walkBelow(own.db, top, safePart(top.name), pathOf)) {
    if (entries.length - 1 + part.length > MAX_ZIP_NODES) throw fail("drive_zip_limit", { limit: MAX_ZIP_NODES });
    for (const { row, as: name } of part) {
      const { sha256, size_bytes: size, changed_at: at } = row;
      const open = () => own.contents.open(sha256 ?? "", { start: 0, length: size });
      entries.push({ name, at, content: sha256 === null ? null : { size, open } });
    }
  }
  return entries;
}

/** Takes a place for one more archive for whoever `key` names. Throws `too_many_requests`. */
function take(zips: Places, key: string): () => void {
  const taken = zips.take([
    { key: `reader ${key}`, most: MOST_EACH },
    { key: "all", most: MOST },
  ]);
  if (taken.full === null) return taken.give;
  throw tooManyRequests(RETRY_S);
}

/**
 * A folder with all that lies in it as an archive, made while it is read; `key` names whom it is for. Throws `drive_zip_limit`,
 * `too_many_requests`.
 */
export async function answerZip(own: Own, folder: store.NodeRow, key: string): Promise<Response> {
  const open = async () => zipOf(await entriesOf(own, folder));
  const bytes = await openUnderPlace(own.clock, () => take(own.zips, key), open);
  return new Response(streamOf(bytes), {
    headers: {
      "content-type": "application/zip",
      "content-disposition": dispositionOf("attachment", `${folder.name}.zip`),
      "content-security-policy": "sandbox; default-src 'none'",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
    },
  });
}
