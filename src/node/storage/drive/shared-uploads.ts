import { beginUpload, finishUpload, readUpload, takeChunk } from "./chunked-upload.ts";
import { type DriveNode, type DriveUploadState, fail, type ReceivedChunk } from "./contract.ts";
import type { Own } from "./logic.ts";
import type { By } from "./needs.ts";
import * as store from "./upload-store.ts";

/** Files that may be open of one link, and of all links. */
const MOST_OF_LINK = 20;
const MOST = 200;

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

/** Uploads by links. */
export function createSharedUploads(own: Own): SharedUploads {
  const senderOf = ({ user_id, share_id }: SharedBy): store.Sender => ({ userId: user_id, shareId: share_id });
  return {
    async begin(by, file) {
      const limit = store.listUploads(own.db, senderOf(by)).length >= MOST_OF_LINK ? MOST_OF_LINK : MOST;
      if (limit === MOST_OF_LINK || store.countShared(own.db) >= MOST) throw fail("drive_uploads_limit", { limit });
      // Nobody goes on with what another stranger has begun.
      return await beginUpload(own, senderOf(by), { ...file, mark: own.ids.next("shu") });
    },
    read: (by, id) => readUpload(own, senderOf(by), id),
    take: (by, id, chunk, bytes) => takeChunk(own, senderOf(by), id, chunk, bytes),
    finish: ({ share_id, ...by }, id) => finishUpload(own, by, id, false, share_id),
  };
}
