import { seconds } from "../../../lib/duration.ts";
import { writeTar } from "../../../lib/write-tar.ts";
import type { Asker } from "../../platform/operations/index.ts";
import { placeInside, runScript } from "./carrier.ts";
import { aboutFile } from "./change-files.ts";
import { fail, type UploadInput, type UploadProgress } from "./contract.ts";
import type { Own, Upload } from "./needs.ts";
import { checkName, type Place } from "./place.ts";
import { dropUploadScript, endUploadScript, mayUploadScript } from "./scripts.ts";

/** Each has a container of its own. */
const MOST_UPLOADS = 4;
/** What one part of a file may have: it is what a request may have, with room to spare. */
export const PART_BYTES = 4 * 1_048_576;
/** Whoever sends no part for so long has gone. */
const IDLE_MS = seconds(60);
/** What stays free, on a small disk this part of it: a full one takes Docker and all apps down with it. */
const RESERVE_BYTES = 512 * 1_048_576;
const RESERVE_SHARE = 0.05;

/** Throws `app_files_no_room`. */
async function checkRoom({ runtime, host, config, uploads }: Own, size: number): Promise<void> {
  const root = runtime.facts()?.root_dir;
  // Docker's folder may be hidden from us; that of our own data is a good guess then.
  const space = (root ? await host.space(root) : null) ?? (await host.ownSpace(config.data_dir));
  if (space === null) return;
  const coming = [...uploads.values()].reduce((sum, upload) => sum + upload.size - upload.received, 0);
  const room = space.free - coming - Math.min(RESERVE_BYTES, space.total * RESERVE_SHARE);
  if (size > room)
    throw fail("app_files_no_room", {
      needed_mb: Math.ceil(size / 1_048_576),
      free_mb: Math.max(0, Math.floor(room / 1_048_576)),
    });
}

/** Looks whether the file may come, and opens the way for its parts. Throws what `POST …/files/uploads` answers. */
export async function beginUpload(
  own: Own,
  by: Asker,
  folder: Place,
  input: UploadInput,
): Promise<{ upload_id: string; part_bytes: number }> {
  const { uploads, clock, ids, runtime } = own;
  const name = checkName(input.name, "name");
  await checkRoom(own, input.size_bytes);
  // Nothing is waited for between here and its own place among them.
  if (uploads.size >= MOST_UPLOADS) throw fail("app_files_crowded", { limit: MOST_UPLOADS });
  const id = ids.next("upl");
  const hidden = `.orrery-${id}`;
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const opened = Promise.withResolvers<void>();
  const words = { name, hidden, isOver: input.overwrite ?? false };
  let isOpen = false;
  const work = async () => {
    try {
      await runScript(own, folder, mayUploadScript(words), async ({ output, container }) => {
        const [uid = 0, gid = 0] = output.trim().split(" ").map(Number);
        const modified = Math.floor(clock.now() / 1000);
        const header = { name: hidden, size: input.size_bytes, uid, gid, modified, mode: 0o644 };
        isOpen = true;
        opened.resolve();
        await runtime
          .requireEngine()
          .writeArchive(container, placeInside(folder), writeTar(header, readable), own.signal);
      });
      await runScript(own, folder, endUploadScript(words), async () => {
        const place = { ...folder, parts: [...folder.parts, name] };
        const size_bytes = input.size_bytes;
        own.db.record(() => own.bus.emit("app_file.uploaded", { ...aboutFile(place, by), size_bytes }));
      });
    } catch (error) {
      opened.reject(error);
      if (!isOpen) throw error;
      await writer.abort(error).catch(() => "it is closed");
      await runScript(own, folder, dropUploadScript(words), async () => {}).catch((cause: unknown) =>
        own.log.info("half a file may stay", { app_id: folder.app.id, cause }),
      );
      throw error;
    }
  };
  let cancelIdle = () => {};
  const touch = () => {
    cancelIdle();
    cancelIdle = clock.after(
      IDLE_MS,
      () => void writer.abort(fail("app_upload_not_found", { id })).catch(() => "it is closed"),
    );
  };
  const outcome = work()
    .then(
      () => null,
      (error: unknown) => ({ error }),
    )
    .finally(() => {
      cancelIdle();
      uploads.delete(id);
    });
  uploads.set(id, {
    user_id: by.user_id,
    app_id: folder.app.id,
    size: input.size_bytes,
    received: 0,
    isBusy: false,
    writer,
    outcome,
    touch,
  });
  await opened.promise;
  touch();
  return { upload_id: id, part_bytes: PART_BYTES };
}

/** Somebody's own upload. Throws `app_upload_not_found`. */
function findUpload({ uploads }: Own, { user_id }: Asker, appId: string, id: string): Upload {
  const upload = uploads.get(id);
  if (!upload || upload.app_id !== appId || upload.user_id !== user_id) throw fail("app_upload_not_found", { id });
  return upload;
}

/** Takes the next part of a file; with the last the file is put in its place, if `check` says so once it is here. Throws what `PUT …/uploads/{upload_id}` answers. */
export async function takePart(
  own: Own,
  by: Asker,
  ids: { app: string; upload: string },
  { offset, body, check }: { offset: number; body: AsyncIterable<Uint8Array> | null; check(): Promise<void> },
): Promise<UploadProgress> {
  const upload = findUpload(own, by, ids.app, ids.upload);
  if (upload.isBusy || offset !== upload.received) throw fail("app_upload_out_of_step", { received: upload.received });
  upload.isBusy = true;
  try {
    const last = Math.min(upload.size, offset + PART_BYTES);
    for await (const piece of body ?? []) {
      if (upload.received + piece.byteLength > last)
        throw fail("app_upload_too_much", { limit: PART_BYTES, size: upload.size });
      upload.touch();
      await Promise.race([upload.writer.write(piece), upload.outcome.then(raise)]);
      upload.received += piece.byteLength;
    }
    upload.touch();
    await check();
    const is_done = upload.received === upload.size;
    if (is_done) {
      await Promise.race([upload.writer.close(), upload.outcome.then(raise)]);
      raise(await upload.outcome);
    }
    return { received_bytes: upload.received, is_done };
  } catch (error) {
    // What ended the whole says more than that the way is closed.
    raise(await Promise.race([upload.outcome, Promise.resolve(null)]));
    throw error;
  } finally {
    upload.isBusy = false;
  }
}

function raise(outcome: { error: unknown } | null): void {
  if (outcome !== null) throw outcome.error;
}

/** Gives an upload up; what came of it is removed. Throws `app_upload_not_found`. */
export async function cancelUpload(own: Own, by: Asker, appId: string, id: string): Promise<void> {
  const upload = findUpload(own, by, appId, id);
  await upload.writer.abort(fail("app_upload_not_found", { id })).catch(() => "it is closed");
  await upload.outcome;
}
