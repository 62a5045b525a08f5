import { kernelFail } from "../../../kernel/http/errors.ts";
import { type ZipEntry, zipOf } from "../../../lib/zip.ts";
import { streamOf } from "../objects/index.ts";
import { fail, MAX_ZIP_NODES } from "./contract.ts";
import { dispositionOf } from "./disposition.ts";
import type { Own } from "./logic.ts";
import * as store from "./store.ts";

/** Archives that are on their way at a time, in all and for one user or link. */
const MOST = 8;
const MOST_EACH = 2;
const RETRY_S = 30;

/** Archives that are on their way, by whom they are for. */
export type OpenZips = Map<string, number>;

/**
 * A name as a part of a path that no program takes for more than that: what separates folders or names a drive on some system looks the
 * same, but is another letter.
 */
export const safePart = (name: string): string =>
  name
    .replaceAll("\\", "\uff3c")
    .replace(/^([A-Za-z]):/, "$1\uff1a")
    .replace(/\p{Cc}/gu, (letter) => String.fromCharCode(0x2400 + Math.min(letter.charCodeAt(0), 0x21)));

function* entriesOf(own: Own, top: store.NodeRow, rows: readonly store.NodeRow[]): Generator<ZipEntry> {
  const paths = new Map([[top.id, safePart(top.name)]]);
  yield { name: safePart(top.name), at: top.changed_at, content: null };
  for (const { id, parent_id, name, sha256, size_bytes: size, changed_at: at } of rows) {
    const path = `${paths.get(parent_id ?? "")}/${safePart(name)}`;
    if (sha256 === null) paths.set(id, path);
    const open = () => own.contents.open(sha256 ?? "", { start: 0, length: size });
    yield { name: path, at, content: sha256 === null ? null : { size, open } };
  }
}

/** Whether there may be one more for whoever `key` names. Throws `too_many_requests`. */
function checkRoom(zips: OpenZips, key: string): void {
  const all = [...zips.values()].reduce((sum, count) => sum + count, 0);
  if (all < MOST && (zips.get(key) ?? 0) < MOST_EACH) return;
  throw kernelFail("too_many_requests", { retry_after_s: RETRY_S }, { "retry-after": String(RETRY_S) });
}

/** The same bytes; while they are on their way they count for `key`. */
async function* counted(
  zips: OpenZips,
  key: string,
  bytes: AsyncGenerator<Uint8Array, void, undefined>,
): AsyncGenerator<Uint8Array, void, undefined> {
  zips.set(key, (zips.get(key) ?? 0) + 1);
  try {
    yield* bytes;
  } finally {
    const left = (zips.get(key) ?? 1) - 1;
    if (left === 0) zips.delete(key);
    else zips.set(key, left);
  }
}

/**
 * A folder with all that lies in it as an archive, made while it is read; `key` names whom it is for. Throws `drive_zip_limit`,
 * `too_many_requests`.
 */
export function answerZip(own: Own, folder: store.NodeRow, key: string): Response {
  const rows = store.listBelow(own.db, folder.id, MAX_ZIP_NODES + 1);
  if (rows.length > MAX_ZIP_NODES) throw fail("drive_zip_limit", { limit: MAX_ZIP_NODES });
  checkRoom(own.zips, key);
  const bytes = counted(own.zips, key, zipOf(entriesOf(own, folder, rows)));
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
