import { pulledBody } from "../../../kernel/http/pulled-body.ts";
import { hours } from "../../../lib/duration.ts";
import { openTarFile } from "../../../lib/read-tar.ts";
import type { Asker } from "../../platform/operations/index.ts";
import { placeInside, runScript } from "./carrier.ts";
import { aboutFile } from "./change-files.ts";
import { fail } from "./contract.ts";
import type { Own } from "./needs.ts";
import { type Place, splitPlace } from "./place.ts";
import { enterScript, kindScript } from "./scripts.ts";

/** Each has a container of its own. */
const MOST_DOWNLOADS = 4;
/** Whoever takes longer has gone without saying so. */
const MOST_MS = hours(6);

/** The archive ends with its container: an abort would be an error of a stream that nobody reads any more. */
const NEVER = new AbortController().signal;

/** What a browser is given. */
interface Download {
  name: string;
  /** Null: nobody knows before its end. */
  size: number | null;
  bytes: AsyncIterable<Uint8Array>;
}

/** Begins a download; the container it is read through stays until its end. Throws what `GET …/files/content` answers. */
export async function downloadFile(own: Own, by: Asker, request: Request, place: Place): Promise<Response> {
  const { downloads } = own;
  if (downloads.size >= MOST_DOWNLOADS) throw fail("app_files_crowded", { limit: MOST_DOWNLOADS });
  const begun = Promise.withResolvers<Download>();
  const isOver = Promise.withResolvers<void>();
  const isGone = new AbortController();
  const cancel = own.clock.after(MOST_MS, isOver.resolve);
  own.signal.addEventListener("abort", () => isOver.resolve(), { signal: isGone.signal });
  const { folder, script, name } = place.parts.length === 0 ? ofTop(place) : ofName(place);
  const work = runScript(own, folder, script, async ({ output, container }) => {
    const archive = await own.runtime.requireEngine().readArchive(container, placeInside(place), NEVER);
    own.db.record(() => own.bus.emit("app_file.downloaded", aboutFile(place, by)));
    if (output === "file\n") begun.resolve({ name, ...(await sized(archive)) });
    else begun.resolve({ name: `${name}.tar`, size: null, bytes: archive });
    await isOver.promise;
  })
    .catch(begun.reject)
    .finally(() => {
      cancel();
      isGone.abort();
      downloads.delete(work);
    });
  downloads.add(work);
  return answer(request, await begun.promise, isOver.resolve);
}

const ofTop = (place: Place) => ({ folder: place, script: enterScript, name: place.volume.name });

function ofName(place: Place) {
  const { folder, name } = splitPlace(place);
  return { folder, script: kindScript(name), name };
}

async function sized(archive: AsyncIterable<Uint8Array>) {
  const { size, bytes } = await openTarFile(archive);
  return { size, bytes };
}

/** What a browser saves under that name. */
function answer(request: Request, { name, size, bytes }: Download, end: () => void): Response {
  const plain = name.replaceAll(/[^\w. -]/g, "_");
  return new Response(pulledBody(request, bytes, end), {
    headers: {
      "content-type": size === null ? "application/x-tar" : "application/octet-stream",
      "content-disposition": `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name).replaceAll(/['()*]/g, "_")}`,
      "cache-control": "no-store",
      ...(size === null ? {} : { "content-length": String(size) }),
    },
  });
}
