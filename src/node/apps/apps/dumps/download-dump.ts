import { createReadStream, statSync } from "node:fs";
import { pulledBody } from "../../../../kernel/http/pulled-body.ts";
import type { Asker } from "../../../platform/operations/index.ts";
import { fail } from "../contract.ts";
import { appEvent } from "../move.ts";
import type { Own } from "../needs.ts";
import type { AppRow } from "../store.ts";
import { listKept } from "../update/update-store.ts";
import { listDumps } from "./dump-store.ts";
import { dumpPath } from "./make-dumps.ts";

/** Opens nothing before it is read. */
async function* read(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  yield* createReadStream(path);
}

/** A dump of the version before, as long as that is kept. Throws `app_dump_not_found`. */
export function downloadDump(own: Own, by: Asker, request: Request, app: AppRow, name: string): Response {
  const kept = listKept(own.db, app.id).find(({ can_return }) => can_return);
  const rows = kept === undefined ? [] : listDumps(own.db, app.id, kept.generation);
  const row = rows.find((each) => each.name === name && each.problem === null);
  const path = row === undefined ? null : dumpPath(own, row);
  const about = path === null ? undefined : statSync(path, { throwIfNoEntry: false });
  if (path === null || about === undefined) throw fail("app_dump_not_found", { name, app: app.name });
  own.db.record(() => own.bus.emit("app.dump_downloaded", { ...appEvent(app, app.status, by), dump: name }));
  return new Response(
    pulledBody(request, read(path), () => {}, 0),
    {
      headers: {
        "content-type": "application/gzip",
        "content-length": String(about.size),
        "content-disposition": `attachment; filename="${app.name}-${name.replaceAll(/[^\w.-]/g, "_")}.gz"`,
        "cache-control": "no-store",
      },
    },
  );
}
