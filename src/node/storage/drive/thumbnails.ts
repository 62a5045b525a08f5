import { rm } from "node:fs/promises";
import { join } from "node:path";
import { tooManyRequests } from "../../../kernel/http/too-many-requests.ts";
import { seconds } from "../../../lib/duration.ts";
import { createFairQueue } from "../../../lib/fair-queue.ts";
import type { Contents } from "./contents.ts";
import { fail } from "./contract.ts";
import { HEAD_BYTES, mediaOf } from "./media.ts";
import type { Needs } from "./needs.ts";
import { type Content, readStart } from "./read-content.ts";
import { createThumbnailCache } from "./thumbnail-cache.ts";
import { MAX_IMAGE_BYTES, makeThumbnail } from "./thumbnail-image.ts";

const CACHE = { maxBytes: 256 * 1024 * 1024, maxFiles: 50_000 };
/** One is made at a time, as it may take a hundred megabytes, and so many wait for their turn; nobody looks longer at a page without them. */
const QUEUE = { size: 1, most: 200, patienceMs: seconds(45) };
/** As many as a large screen shows. */
const WAITING_OF_ACCOUNT = 60;
const RETRY_S = 5;

/** Who wants to see one, and what aborts when they have gone. */
export interface Onlooker {
  userId: string;
  left: AbortSignal;
}

/** Small pictures of what is in the Drive, made when somebody asks for them first. */
export interface Thumbnails {
  /**
   * The picture of a content. Those that are to be made wait: of the accounts the one goes first for which the least was made lately, and
   * none is made for whoever has gone. Throws `drive_no_thumbnail`, `too_many_requests`.
   */
  get(content: Content, onlooker: Onlooker): Promise<Uint8Array<ArrayBuffer>>;
  /** Removes that of a content that is not stored any more. */
  forget(sha256: string): Promise<void>;
  /** Removes those that lie as nothing should any more: encrypted or not. */
  follow(): Promise<void>;
}

/** Where they lie, by whether they are encrypted. */
const FOLDERS = { plain: "drive-thumbnails", sealed: "drive-thumbnails-encrypted" } as const;

/** Thumbnails in the data folder, named by what they show, and encrypted while what they are made of is. */
export function createThumbnails(
  { config, ids, clock, objectStore }: Pick<Needs, "config" | "ids" | "clock" | "objectStore">,
  contents: Pick<Contents, "open">,
): Thumbnails {
  const { vault } = objectStore;
  const folderOf = (way: keyof typeof FOLDERS): string => join(config.data_dir, FOLDERS[way]);
  const open = (way: keyof typeof FOLDERS) => createThumbnailCache(folderOf(way), ids, CACHE);
  const caches = { plain: open("plain"), sealed: open("sealed") };
  const wayNow = (): keyof typeof FOLDERS => (objectStore.sealing().on ? "sealed" : "plain");
  const aboutPicture = (sha256: string): string => `thumbnail:${sha256}`;
  const inTurn = createFairQueue(clock, { ...QUEUE, refuse: () => tooManyRequests(RETRY_S) });

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

  /** Of several who wait for the same one the first has it made. */
  async function findOrMake(content: Content): Promise<Uint8Array<ArrayBuffer> | null> {
    let picture = await find(content.sha256);
    if (picture === undefined) {
      await make(content);
      picture = await find(content.sha256);
    }
    return picture ?? null;
  }

  return {
    async get(content, { userId, left }) {
      const asker = { path: [userId] as const, limit: { key: userId, most: WAITING_OF_ACCOUNT }, left };
      let picture = await find(content.sha256);
      if (picture === undefined) picture = await inTurn(asker, () => findOrMake(content));
      if (picture === null) throw fail("drive_no_thumbnail");
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
