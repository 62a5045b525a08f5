import { pulledBody } from "../../../kernel/http/pulled-body.ts";
import { hours } from "../../../lib/duration.ts";
import type { Asker } from "../../platform/operations/index.ts";
import { plainPath } from "./browse.ts";
import { fail } from "./contract.ts";
import { contentOf, findBelow, piecesOf, writeArchiveOf } from "./extract.ts";
import { causeOf } from "./failures.ts";
import { type AskedVolume, readIndex } from "./file-index.ts";
import type { Own } from "./needs.ts";
import { getBackup } from "./run-backup.ts";
import { openTarget } from "./targets.ts";

/** Each has an engine of its own. */
const MOST_DOWNLOADS = 3;
/** Whoever takes longer has gone without saying so. */
const MOST_MS = hours(6);

/** Begins to send a file, or a folder as an archive. Throws what `GET /api/backups/{id}/download` answers. */
export async function downloadFromBackup(
  own: Own,
  by: Asker,
  request: Request,
  id: string,
  query: AskedVolume & { path?: string | undefined },
): Promise<Response> {
  const path = plainPath(query.path ?? "");
  const backup = getBackup(own, id);
  const { index, app, volume } = await readIndex(own, id, query);
  const { top, all } = findBelow(index, path);
  if (!["file", "twin", "folder"].includes(top.kind)) throw fail("backup_file_kind", { path });
  const { downloads } = own.browse;
  if (downloads.size >= MOST_DOWNLOADS) throw fail("backup_files_crowded", { limit: MOST_DOWNLOADS });
  const over = Promise.withResolvers<void>();
  downloads.add(over.promise);
  const end = () => {
    downloads.delete(over.promise);
    over.resolve();
  };
  try {
    const session = await openTarget(own, backup.target, null, "now");
    const cancel = own.clock.after(MOST_MS, () => session.end());
    const whole = top.kind === "folder" ? null : contentOf(index, top);
    const bytes = whole
      ? session.readPieces(piecesOf(index, [{ from: whole.data, to: whole.data + whole.size }]))
      : writeArchiveOf(session, index, all, (one) => one);
    own.db.record(() => own.bus.emit("backup.file_downloaded", { ...by, backup_id: id, app, volume, path }));
    const name = path.slice(path.lastIndexOf("/") + 1);
    return answerFile(request, whole ? name : `${name}.tar`, whole?.size ?? null, bytes, () => {
      cancel();
      session.end();
      end();
    });
  } catch (error) {
    end();
    if (error instanceof Error && "status" in error) throw error;
    throw fail("backup_file_damaged", { reason: causeOf(error) });
  }
}

/** What a browser saves under that name; an archive where its size is null. `end` is called once nothing more is read. */
export function answerFile(
  request: Request,
  name: string,
  size: number | null,
  bytes: AsyncIterable<Uint8Array>,
  end: () => void,
): Response {
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/g, "_");
  return new Response(pulledBody(request, bytes, end), {
    headers: {
      "content-type": size === null ? "application/x-tar" : "application/octet-stream",
      "content-disposition": `attachment; filename*=UTF-8''${encoded}`,
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
      ...(size === null ? {} : { "content-length": String(size) }),
    },
  });
}
