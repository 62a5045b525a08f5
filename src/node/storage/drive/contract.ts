import { type Static, t } from "elysia";
import { UPLOAD } from "../../../kernel/http/access.ts";
import { answersAs, noContent, redirects, takesBytes, takesFile } from "../../../kernel/http/answers.ts";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { NameText, Nullable, NullableText } from "../../../kernel/http/schema.ts";
import { member, open, user } from "../../access.ts";
import { DRIVE } from "../object-migration/contract.ts";

/** Largest file that comes in one request. */
export const FILE_LIMIT_BYTES = 6 * 1024 * 1024;
/** What large files are cut into; only the last chunk is smaller. */
export const CHUNK_BYTES = 6 * 1024 * 1024;
/** Largest file that comes in chunks. */
export const MAX_FILE_BYTES = 10_000 * CHUNK_BYTES;
/** Days after which an upload is given up for which nothing came. */
export const UPLOAD_DAYS = 3;
/** Days after which the trash forgets. */
export const TRASH_DAYS = 30;

/** How deep folders go, and what one Drive holds. */
export const MAX_DEPTH = 64;
export const MAX_NODES = 200_000;
/** What a folder may hold that is saved as one archive. */
export const MAX_ZIP_NODES = 50_000;
/** What the names of all that have together: each is a whole path, and all are held to the end of the archive. */
export const MAX_ZIP_NAME_BYTES = 32 * 1024 * 1024;

const Name = NameText(255);
const Id = t.String({ maxLength: 64 });

export const DriveNode = t.Object({
  id: t.String(),
  kind: t.UnionEnum(["folder", "file"]),
  name: t.String(),
  parent_id: NullableText,
  size_bytes: t.Integer(),
  /** Of the content, in hex; null for folders. */
  sha256: NullableText,
  created_at: t.String(),
  /** Since when the content is what it is. */
  changed_at: t.String(),
  starred: t.Boolean(),
});
export type DriveNode = Static<typeof DriveNode>;

export const DriveTree = t.Object({
  /** From the top down to this folder, which is the last; empty at the top. */
  path: t.Array(t.Object({ id: t.String(), name: t.String() })),
  nodes: t.Array(DriveNode),
  /** Says where the next page begins; null on the last. */
  next: NullableText,
});
export type DriveTree = Static<typeof DriveTree>;

export const TrashedNode = t.Object({
  id: t.String(),
  kind: t.UnionEnum(["folder", "file"]),
  name: t.String(),
  size_bytes: t.Integer(),
  trashed_at: t.String(),
  /** When it is gone for good. */
  purged_at: t.String(),
});
export type TrashedNode = Static<typeof TrashedNode>;

export const DriveTrash = t.Object({ nodes: t.Array(TrashedNode), next: NullableText });
export type DriveTrash = Static<typeof DriveTrash>;

export const FolderInput = t.Object(
  {
    name: Name,
    parent_id: Nullable(Id),
    /** That there is such a folder already is as good: it is the answer. */
    may_exist: t.Optional(t.Boolean()),
  },
  { additionalProperties: false },
);
export type FolderInput = Static<typeof FolderInput>;
export const NodeChange = t.Object(
  { name: t.Optional(Name), parent_id: t.Optional(Nullable(Id)), starred: t.Optional(t.Boolean()) },
  { additionalProperties: false, minProperties: 1, description: "must say what is to change" },
);
export type NodeChange = Static<typeof NodeChange>;
export const CopyInput = t.Object({ parent_id: Nullable(Id), name: t.Optional(Name) }, { additionalProperties: false });
export type CopyInput = Static<typeof CopyInput>;

export const DriveFinds = t.Object({
  finds: t.Array(
    t.Object({
      node: DriveNode,
      /** The folders above it, from the top down. */
      path: t.Array(t.Object({ id: t.String(), name: t.String() })),
    }),
  ),
  /** There are others; more of the name finds them. */
  more: t.Boolean(),
});
export type DriveFinds = Static<typeof DriveFinds>;

export const DriveVersion = t.Object({
  id: t.String(),
  size_bytes: t.Integer(),
  sha256: t.String(),
  /** Since when it was the content, and until when. */
  made_at: t.String(),
  replaced_at: t.String(),
  /** When the plan reaches it no more. */
  expires_at: t.String(),
});
export type DriveVersion = Static<typeof DriveVersion>;

export const DriveVersions = t.Object({
  /** The latest first; the content of now is not among them. */
  versions: t.Array(DriveVersion),
  /** How many are kept for a while that the plan does not reach. */
  beyond_plan: t.Integer(),
  window_hours: t.Integer(),
});
export type DriveVersions = Static<typeof DriveVersions>;

/** How a file can be looked at without being saved. */
export const DriveView = t.Object({
  kind: t.UnionEnum(["image", "pdf", "text", "audio", "video", "none"]),
  media_type: t.String(),
  size_bytes: t.Integer(),
  /** Whoever has it may read the file for an hour; null where there is nothing to look at. */
  url: NullableText,
});
export type DriveView = Static<typeof DriveView>;

/** A SHA-256 as it is sent. */
export const Sha256 = t.String({ pattern: "^[0-9a-f]{64}$", description: "must be a SHA-256 in hex" });

export const UploadInput = t.Object(
  {
    name: Name,
    folder_id: Nullable(Id),
    size_bytes: t.Integer({ minimum: 0, maximum: MAX_FILE_BYTES }),
    /** Anything that tells this file from another of the same name and size, such as when it was changed. */
    mark: t.Optional(t.String({ maxLength: 100 })),
    /** Of the whole file; what comes is compared with it. */
    sha256: t.Optional(Sha256),
    /** A file of that name gets this content when the upload is finished so. */
    replace: t.Optional(t.Boolean()),
  },
  { additionalProperties: false },
);
export type UploadInput = Static<typeof UploadInput>;

const upload = {
  upload_id: t.String(),
  name: t.String(),
  folder_id: NullableText,
  size_bytes: t.Integer(),
  chunk_bytes: t.Integer(),
  chunks: t.Integer(),
  received_bytes: t.Integer(),
  /** When it is given up if nothing more comes. */
  expires_at: t.String(),
};

export const DriveUpload = t.Object(upload);
export type DriveUpload = Static<typeof DriveUpload>;

export const ReceivedChunk = t.Object({ number: t.Integer(), size_bytes: t.Integer(), sha256: t.String() });
export type ReceivedChunk = Static<typeof ReceivedChunk>;

/** An upload with what is there of it, by its numbers. */
export const DriveUploadState = t.Object({ ...upload, received: t.Array(ReceivedChunk) });
export type DriveUploadState = Static<typeof DriveUploadState>;

export const fail = defineErrors({
  drive_checksum_mismatch: [400, "What came is not what was meant: its SHA-256 is {sha256}. Send it again."],
  drive_chunk_invalid: [
    400,
    "There is no such chunk of this file: they are numbered from 1 to {chunks}, and this one has {size_bytes} bytes.",
  ],
  drive_file_missing: [400, "Send the file as multipart field `file`."],
  drive_not_found: [404, "There is no such file or folder. It may be in the trash; load the folder again."],
  drive_link_expired: [404, "This download has run out or is not whole. Start it again from the Drive."],
  drive_version_not_found: [
    404,
    "There is no such version, or the plan does not reach it any more. Load the versions again.",
  ],
  drive_no_thumbnail: [404, "There is no small picture of this file. Download it to see it."],
  drive_range_outside: [
    416,
    "This file has {size_bytes} bytes, and none of them is in the asked range. Start the download again.",
  ],
  drive_zip_limit: [
    409,
    "A folder of more than {limit} files and folders, or of paths as long as {name_bytes} bytes together, cannot be saved in one. Save those in it.",
  ],
  drive_copying: [409, "A large folder of this Drive is being copied already. Wait until that is done."],
  drive_into_itself: [409, "{name} cannot go into itself. Choose another folder."],
  drive_upload_not_found: [404, "There is no such upload. It was finished or given up; begin it again."],
  drive_upload_incomplete: [409, "{missing} chunks of this file have not come yet, the first is {first}. Send them."],
  drive_upload_busy: [409, "This upload is being finished. Wait for that."],
  drive_upload_too_long: [413, "More bytes came than this upload has left. Nothing of them was kept."],
  drive_upload_offset: [409, "This upload ends at byte {offset}. Go on from there."],
  drive_upload_sum: [460, "What came is not what was meant. Nothing of it was kept; send it again."],
  drive_tus_version: [412, "This server speaks tus {version}. Say so in the header Tus-Resumable."],
  drive_tus_media: [415, "Send the bytes with the header content-type: application/offset+octet-stream."],
  drive_uploads_limit: [409, "At most {limit} uploads can be open. Finish or cancel one first."],
  drive_name_taken: [409, "There is a file or folder {name} here already. Rename one of the two."],
  drive_too_deep: [409, "Folders go at most {limit} deep. Make this one further up."],
  drive_limit: [409, "A Drive holds at most {limit} files and folders. Empty the trash or remove some first."],
});

type OnNode = { user_id: string; ip: string; node_id: string; name: string };

export type DriveEvents = {
  "drive.folder_created": OnNode;
  "drive.uploaded": OnNode & { size_bytes: number; sha256: string };
  "drive.downloaded": OnNode;
  /** It was opened to be looked at. */
  "drive.viewed": OnNode;
  "drive.replaced": OnNode & { size_bytes: number; sha256: string };
  "drive.version_removed": OnNode;
  "drive.renamed": OnNode & { from: string };
  "drive.moved": OnNode & { parent_id: string | null };
  "drive.copied": OnNode & { from: string; count: number };
  "drive.trashed": OnNode;
  "drive.restored": OnNode;
  "drive.purged": OnNode;
};

const reads = user(null, { component: DRIVE });
const changes = member(null, { component: DRIVE });
// The address would outlive the key that asked for it.
const looks = user(null, { component: DRIVE, keys: "never" });
const NodeParams = t.Object({ id: Id });
const VersionParams = t.Object({ id: Id, version_id: Id });
const UploadParams = t.Object({ upload_id: Id });
const Page = t.Optional(t.String({ maxLength: 2_000 }));

export const driveRoutes = defineRoutes({
  "GET /api/drive/tree": {
    access: reads,
    query: t.Object({ folder_id: t.Optional(Id), after: Page }),
    out: DriveTree,
  },
  "POST /api/drive/folders": { access: changes, body: FolderInput, out: { 201: DriveNode } },
  /** What this server can of tus, the protocol of resumable uploads. */
  "OPTIONS /api/drive/upload": { access: open(), ...noContent() },
  /** Multipart, field `file`, with the name of the file in it. With `Tus-Resumable`, begins an upload of that protocol. */
  "POST /api/drive/upload": {
    access: changes,
    query: t.Object({ folder_id: t.Optional(Id), replace: t.Optional(t.Boolean()) }),
    ...UPLOAD,
    ...takesFile("file"),
    out: DriveNode,
  },
  /** Begins a file that comes in chunks, or goes on with one that was begun with the same words. */
  "POST /api/drive/upload/init": { access: changes, body: UploadInput, out: DriveUploadState },
  "GET /api/drive/uploads": { access: reads, out: t.Object({ uploads: t.Array(DriveUpload) }) },
  "GET /api/drive/upload/{upload_id}": { access: reads, params: UploadParams, out: DriveUploadState },
  /** Takes a chunk as the body, in any order; one of the same number takes the place of the one before. */
  "PUT /api/drive/upload/{upload_id}": {
    access: changes,
    params: UploadParams,
    query: t.Object({ number: t.Integer({ minimum: 1 }), sha256: t.Optional(Sha256) }),
    parse: "none",
    out: ReceivedChunk,
    ...takesBytes(),
  },
  /** Adds bytes to an upload by tus; with the last of them it becomes the file. */
  "PATCH /api/drive/upload/{upload_id}": {
    access: changes,
    params: UploadParams,
    ...UPLOAD,
    ...takesBytes(),
  },
  "POST /api/drive/upload/{upload_id}/finish": {
    access: changes,
    params: UploadParams,
    query: t.Object({ replace: t.Optional(t.Boolean()) }),
    out: DriveNode,
  },
  "DELETE /api/drive/upload/{upload_id}": { access: changes, params: UploadParams, ...noContent() },
  /** Of a folder, leads to all that lies in it as a ZIP archive. */
  "GET /api/drive/raw/{node_id}": {
    access: reads,
    params: t.Object({ node_id: Id }),
    /** A version of the file; without it, what it holds now. */
    query: t.Object({ version_id: t.Optional(Id) }),
    ...redirects(),
  },
  /** Whoever has the address may read what it was made for, for a short time; with a Range header, a part of it. */
  "GET /api/drive/content/{signed}": {
    access: open(),
    params: t.Object({ signed: t.String({ maxLength: 500 }) }),
    ...answersAs("application/octet-stream"),
  },
  "GET /api/drive/nodes/{id}/view": { access: looks, params: NodeParams, out: DriveView },
  /** A picture of at most 480 pixels a side; with the SHA-256 of the content in its address browsers keep it. */
  "GET /api/drive/nodes/{id}/thumbnail": {
    access: reads,
    params: NodeParams,
    query: t.Object({ sha256: t.Optional(Sha256) }),
    ...answersAs("image/webp"),
  },
  "PATCH /api/drive/nodes/{id}": { access: changes, params: NodeParams, body: NodeChange, out: DriveNode },
  "POST /api/drive/nodes/{id}/copy": { access: changes, params: NodeParams, body: CopyInput, out: { 201: DriveNode } },
  "GET /api/drive/search": {
    access: reads,
    query: t.Object({ q: t.Optional(t.String({ maxLength: 255 })), starred: t.Optional(t.Boolean()) }),
    out: DriveFinds,
  },
  "GET /api/drive/nodes/{id}/versions": { access: reads, params: NodeParams, out: DriveVersions },
  "POST /api/drive/nodes/{id}/versions/{version_id}/restore": {
    access: changes,
    params: VersionParams,
    out: DriveNode,
  },
  "DELETE /api/drive/nodes/{id}/versions/{version_id}": { access: changes, params: VersionParams, ...noContent() },
  "DELETE /api/drive/nodes/{id}": { access: changes, params: NodeParams, ...noContent() },
  "GET /api/drive/trash": { access: reads, query: t.Object({ after: Page }), out: DriveTrash },
  "POST /api/drive/trash/{id}/restore": { access: changes, params: NodeParams, out: DriveNode },
  "DELETE /api/drive/trash/{id}": { access: changes, params: NodeParams, ...noContent() },
});
export type DriveApi = ApiOf<typeof driveRoutes>;
