import { join } from "node:path";
import { kernelFail } from "../../../kernel/http/errors.ts";
import { createGate } from "../../../lib/gate.ts";
import type { Contents } from "./contents.ts";
import { fail } from "./contract.ts";
import { HEAD_BYTES, mediaOf } from "./media.ts";
import type { Needs } from "./needs.ts";
import { type Content, readStart } from "./read-content.ts";
import { createThumbnailCache } from "./thumbnail-cache.ts";
import { MAX_IMAGE_BYTES, makeThumbnail } from "./thumbnail-image.ts";

const CACHE = { maxBytes: 256 * 1024 * 1024, maxFiles: 50_000 };
/** Pictures that wait for their turn; one is made at a time, as it may take a hundred megabytes. */
const MAX_WAITING = 200;
const RETRY_S = 5;

/** Small pictures of what is in the Drive, made when somebody asks for them first. */
export interface Thumbnails {
  /** The picture of a content, as a file. Throws `drive_no_thumbnail`, `too_many_requests`. */
  get(content: Content): Promise<Bun.BunFile>;
  /** Removes that of a content that is not stored any more. */
  forget(sha256: string): Promise<void>;
}

/** Thumbnails in the data folder, named by what they show. */
export function createThumbnails(
  { config, ids }: Pick<Needs, "config" | "ids">,
  contents: Pick<Contents, "open">,
): Thumbnails {
  const cache = createThumbnailCache(join(config.data_dir, "drive-thumbnails"), ids, CACHE);
  const inTurn = createGate(1);
  /** What is being made, or waits for its turn. */
  const making = new Map<string, Promise<void>>();

  async function make(content: Content): Promise<void> {
    const isImage = mediaOf(await readStart(contents, content, HEAD_BYTES)).kind === "image";
    const isSmall = content.size_bytes <= MAX_IMAGE_BYTES;
    const made = isImage && isSmall && (await makeThumbnail(await readStart(contents, content, MAX_IMAGE_BYTES)));
    await cache.keep(content.sha256, made || null);
  }

  async function makeOnce(content: Content): Promise<void> {
    const { sha256 } = content;
    const known = making.get(sha256);
    if (known !== undefined) return await known;
    if (making.size >= MAX_WAITING)
      throw kernelFail("too_many_requests", { retry_after_s: RETRY_S }, { "retry-after": String(RETRY_S) });
    const work = inTurn(() => make(content)).finally(() => making.delete(sha256));
    making.set(sha256, work);
    await work;
  }

  return {
    async get(content) {
      let file = await cache.find(content.sha256);
      if (file === undefined) {
        await makeOnce(content);
        file = await cache.find(content.sha256);
      }
      if (file === null || file === undefined) throw fail("drive_no_thumbnail");
      return file;
    },
    forget: (sha256) => cache.forget(sha256),
  };
}
