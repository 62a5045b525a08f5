import { hours } from "../../../lib/duration.ts";
import type { Asker } from "../../platform/operations/index.ts";
import { answerFile } from "../backups/index.ts";
import { getRead, wayOf } from "./browse.ts";
import { fail } from "./contract.ts";
import { refuse } from "./failures.ts";
import { openSession } from "./held.ts";
import type { Own } from "./needs.ts";
import { openingOf } from "./repositories.ts";

/** Each has a thread of its own. */
const MOST_DOWNLOADS = 3;
/** Whoever takes longer has gone without saying so. */
const MOST_MS = hours(6);

/** The same bytes, the first of which are there: what is damaged at once is told as an error instead of an answer that breaks off. */
async function begun(bytes: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const source = bytes[Symbol.asyncIterator]();
  const first = await source.next();
  return (async function* () {
    if (first.done === true) return;
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => source };
  })();
}

/** Begins to send a file, or a folder as an archive. Throws what `GET /api/backup/restic/{id}/snapshots/{snapshot}/download` answers. */
export async function download(
  own: Own,
  by: Asker,
  request: Request,
  { id, snapshot }: { id: string; snapshot: string },
  path: string | undefined,
): Promise<Response> {
  const row = getRead(own, id);
  const { downloads } = own;
  if (downloads.size >= MOST_DOWNLOADS) throw fail("restic_crowded", { limit: MOST_DOWNLOADS });
  const over = Promise.withResolvers<void>();
  downloads.add(over.promise);
  let close = () => {};
  const end = () => {
    close();
    downloads.delete(over.promise);
    over.resolve();
  };
  try {
    const session = await openSession(own, id, openingOf(own, row));
    const cancel = own.clock.after(MOST_MS, () => session.end());
    close = () => {
      cancel();
      session.end();
    };
    const way = wayOf(path);
    const { isFolder, name, size } = await session.begin(snapshot, way);
    const bytes = await begun(session.rest());
    own.db.record(() =>
      own.bus.emit("restic.file_downloaded", { ...by, restic_id: id, snapshot, path: way.join("/") }),
    );
    return answerFile(request, isFolder ? `${name}.tar` : name, size, bytes, end);
  } catch (error) {
    end();
    throw refuse(error, row.path);
  }
}
