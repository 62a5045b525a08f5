import { networksAround } from "../../../kernel/http/peer.ts";
import { hours } from "../../../lib/duration.ts";
import { beginUpload, dropParts, finishUpload, readUpload, takeChunk } from "./chunked-upload.ts";
import { type DriveNode, type DriveUploadState, fail, type ReceivedChunk } from "./contract.ts";
import type { Own } from "./logic.ts";
import { followChunks, type Moving } from "./moving.ts";
import type { By } from "./needs.ts";
import { findStill } from "./room-by-network.ts";
import { isActiveUser } from "./store.ts";
import * as store from "./upload-store.ts";

/** Files that may be open of one link, of all links of one maker, and of all links. */
const MOST_OF_LINK = 20;
const MOST_OF_MAKER = 60;
const MOST = 200;
/** One for which nothing came for so long gives way to anybody's new one, and those to an account that is off do at once. */
const IDLE = hours(1);

/** Whose Drive it goes to, and by which link. */
export interface SharedBy extends By {
  share_id: string;
}

/** A large file as a stranger announces it. */
export interface SharedFile {
  name: string;
  folder_id: string;
  size_bytes: number;
}

/** Large files of strangers. Each is found by its id alone, and by the link that it was begun with. */
export interface SharedUploads {
  /** Throws `drive_uploads_limit`, `disk_full`, and what a place may be refused for. */
  begin(by: SharedBy, file: SharedFile): Promise<DriveUploadState>;
  /** Throws `drive_upload_not_found`. */
  read(by: SharedBy, id: string): DriveUploadState;
  /** Takes a chunk; it is on disk when this resolves. Throws what that throws for owners. */
  take(
    by: SharedBy,
    id: string,
    chunk: { number: number; sha256?: string | undefined },
    bytes: AsyncIterable<Uint8Array>,
  ): Promise<ReceivedChunk>;
  /** Makes the file; nothing is replaced. Throws what that throws for owners. */
  finish(by: SharedBy, id: string): Promise<DriveNode>;
}

/** The rows of whoever has most of them. */
function mostOf(rows: store.UploadRow[]): store.UploadRow[] {
  const groups = [...Map.groupBy(rows, ({ user_id }) => user_id).values()];
  return groups.reduce<store.UploadRow[]>((most, group) => (group.length > most.length ? group : most), []);
}

/**
 * Which upload has to give way for one more of that link; null where there is room. First one that stands still of the network that holds
 * most, where it holds more than the newcomer's, then one that nobody goes on with. Throws `drive_uploads_limit`.
 */
function findWeaker(own: Own, moving: Moving, { user_id, share_id, ip }: SharedBy): store.UploadRow | null {
  const all = store.listShared(own.db);
  const idleSince = own.clock.now() - IDLE;
  const isBusy = ({ id }: store.UploadRow) => own.finishing.has(id) || moving.isSending(id);
  const isIdle = (row: store.UploadRow) =>
    !isBusy(row) && (row.touched_at < idleSince || !isActiveUser(own.db, row.user_id));
  const ofMaker = all.filter((row) => row.user_id === user_id);
  const ofLink = ofMaker.filter((row) => row.share_id === share_id);
  const full = [
    { rows: ofLink, limit: MOST_OF_LINK },
    { rows: ofMaker, limit: MOST_OF_MAKER },
    { rows: all, limit: MOST },
  ].find(({ rows, limit }) => rows.length >= limit);
  if (full === undefined) return null;
  const isStill = (row: store.UploadRow) => !own.finishing.has(row.id) && moving.isStill(row);
  const weaker = findStill(full.rows, networksAround(ip), isStill) ?? mostOf(full.rows.filter(isIdle))[0];
  if (weaker === undefined) throw fail("drive_uploads_limit", { limit: full.limit });
  return weaker;
}

/** Uploads by links. */
export function createSharedUploads(own: Own): SharedUploads {
  const moving = followChunks(own.clock.now);
  const senderOf = ({ user_id, share_id }: SharedBy): store.Sender => ({ userId: user_id, shareId: share_id });
  return {
    async begin(by, file) {
      const gone: string[] = [];
      // Nobody goes on with what another stranger has begun.
      const state = await beginUpload(
        own,
        senderOf(by),
        { ...file, mark: own.ids.next("shu") },
        {
          networks: networksAround(by.ip).join(" "),
          makeRoom() {
            const weaker = findWeaker(own, moving, by);
            if (weaker === null) return;
            store.deleteUpload(own.db, weaker.id);
            gone.push(weaker.id);
          },
        },
      );
      for (const id of gone) await dropParts(own, id);
      return state;
    },
    read: (by, id) => readUpload(own, senderOf(by), id),
    take: (by, id, chunk, bytes) =>
      moving.during(id, bytes, (followed) => takeChunk(own, senderOf(by), id, chunk, followed)),
    finish: ({ share_id, ...by }, id) => finishUpload(own, by, id, false, share_id),
  };
}
