import { rm } from "node:fs/promises";
import { join } from "node:path";
import { tooManyRequests } from "../../../kernel/http/too-many-requests.ts";
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
  /** The picture of a content. Throws `drive_no_thumbnail`, `too_many_requests`. */
  get(content: Content): Promise<Uint8Array<ArrayBuffer>>;
  /** Removes that of a content that is not stored any more. */
  forget(sha256: string): Promise<void>;
  /** Removes those that lie as nothing should any more: encrypted or not. */
  follow(): Promise<void>;
}

/** Where they lie, by whether they are encrypted. */
const FOLDERS = { plain: "drive-thumbnails", sealed: "drive-thumbnails-encrypted" } as const;

/** Thumbnails in the data folder, named by what they show, and encrypted while what they are made of is. */
export function createThumbnails(
  { config, ids, objectStore }: Pick<Needs, "config" | "ids" | "objectStore">,
  contents: Pick<Contents, "open">,
): Thumbnails {
  const { vault } = objectStore;
  const folderOf = (way: keyof typeof FOLDERS): string => join(config.data_dir, FOLDERS[way]);
  const open = (way: keyof typeof FOLDERS) => createThumbnailCache(folderOf(way), ids, CACHE);
  const caches = { plain: open("plain"), sealed: open("sealed") };
  const wayNow = (): keyof typeof FOLDERS => (objectStore.sealing().on ? "sealed" : "plain");
  const aboutPicture = (sha256: string): string => `thumbnail:${sha256}`;
  const inTurn = createGate(1);
  /** What is being made, or waits for its turn. */
  const making = new Map<string, Promise<void>>();

  async function make(content: Content): Promise<void> {
    const isImage = mediaOf(await readStart(contents, content, HEAD_BYTES)).kind === "image";
    const isSmall = content.size_bytes <= MAX_IMAGE_BYTES;
    const made = isImage && isSmall && (await makeThumbnail(await readStart(contents, content, MAX_IMAGE_BYTES)));
    const way = wayNow();
    const bytes = made && way === "sealed" ? vault.seal(aboutPicture(content.sha256), made) : made;
    await caches[way].keep(content.sha256, bytes || null);
  }

  /** The picture; null where it is known that there is none, undefined where nothing is known. */
  async function find(sha256: string): Promise<Uint8Array<ArrayBuffer> | null | undefined> {
    const way = wayNow();
    const file = await caches[way].find(sha256);
    if (file === null || file === undefined) return file;
    const written = await file.bytes();
    const bytes = way === "sealed" ? vault.open(aboutPicture(sha256), written) : written;
    if (bytes !== null) return new Uint8Array(bytes);
    await caches[way].forget(sha256);
    return undefined;
  }

  async function makeOnce(content: Content): Promise<void> {
    const { sha256 } = content;
    const known = making.get(sha256);
    if (known !== undefined) return await known;
    if (making.size >= MAX_WAITING) throw tooManyRequests(RETRY_S);
    const work = inTurn(() => make(content)).finally(() => making.delete(sha256));
    making.set(sha256, work);
    await work;
  }

  return {
    async get(content) {
      let picture = await find(content.sha256);
      if (picture === undefined) {
        await makeOnce(content);
        picture = await find(content.sha256);
      }
      if (picture === null || picture === undefined) throw fail("drive_no_thumbnail");
      return picture;
    },
    forget: (sha256) => caches[wayNow()].forget(sha256),
    async follow() {
      const way = wayNow() === "sealed" ? "plain" : "sealed";
      await rm(folderOf(way), { recursive: true, force: true });
      caches[way] = open(way);
    },
  };
}
