import { type ZipEntry, zipOf } from "../../../lib/zip.ts";
import { streamOf } from "../objects/index.ts";
import { fail, MAX_DEPTH, MAX_ZIP_NAME_BYTES, MAX_ZIP_NODES } from "./contract.ts";
import { dispositionOf } from "./disposition.ts";
import type { Receiver } from "./going-out.ts";
import type { Own } from "./logic.ts";
import type * as store from "./store.ts";
import { walkBelow } from "./walk-below.ts";

/**
 * A name as a part of a path that no program takes for more than that: what separates folders or names a drive on some system looks the
 * same, but is another letter.
 */
export const safePart = (name: string): string =>
  name
    .replaceAll("\\", "\uff3c")
    .replace(/^([A-Za-z]):/, "$1\uff1a")
    .replace(/\p{Cc}/gu, (letter) => String.fromCharCode(0x2400 + Math.min(letter.charCodeAt(0), 0x21)));

const tooLarge = () => fail("drive_zip_limit", { limit: MAX_ZIP_NODES, name_bytes: MAX_ZIP_NAME_BYTES });

/** A path within an archive, with how many bytes it takes there. */
interface Path {
  name: string;
  bytes: number;
}

/** A folder with all that lies in it, as the archive has it. Throws `drive_zip_limit`. */
async function entriesOf(own: Own, top: store.NodeRow): Promise<ZipEntry[]> {
  const name = safePart(top.name);
  const path: Path = { name, bytes: Buffer.byteLength(name) };
  const entries: ZipEntry[] = [{ name, at: top.changed_at, content: null }];
  let nameBytes = path.bytes + 1;
  const pathOf = (row: store.NodeRow, folder: Path): Path => {
    const part = safePart(row.name);
    return { name: `${folder.name}/${part}`, bytes: folder.bytes + 1 + Buffer.byteLength(part) };
  };
  for await (const part of walkBelow(own.db, top, path, pathOf)) {
    if (entries.length - 1 + part.length > MAX_ZIP_NODES) throw tooLarge();
    for (const { row, as, level } of part) {
      // What lies deeper, from a time when that could be, has paths that the format has no room for.
      if (level >= MAX_DEPTH) throw tooLarge();
      nameBytes += as.bytes + 1;
      if (nameBytes > MAX_ZIP_NAME_BYTES) throw tooLarge();
      const { sha256, size_bytes: size, changed_at: at } = row;
      const open = () => own.contents.open(sha256 ?? "", { start: 0, length: size });
      entries.push({ name: as.name, at, content: sha256 === null ? null : { size, open } });
    }
  }
  return entries;
}

/**
 * A folder with all that lies in it as an archive, made while it is read. Throws `drive_zip_limit`, `too_many_requests`.
 */
export async function answerZip(own: Own, folder: store.NodeRow, reader: Receiver): Promise<Response> {
  const bytes = await own.zips.open(reader, async () => zipOf(await entriesOf(own, folder)));
  return new Response(streamOf(reader.request, bytes), {
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
