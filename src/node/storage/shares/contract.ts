import { type Static, t } from "elysia";
import { UPLOAD } from "../../../kernel/http/access.ts";
import { answersAs, noContent, takesBytes, takesFile } from "../../../kernel/http/answers.ts";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { NameText, Nullable, NullableText } from "../../../kernel/http/schema.ts";
import { member, open, user } from "../../access.ts";
import { ReceivedChunk, Sha256 } from "../drive/contract.ts";
import { DRIVE } from "../object-migration/contract.ts";

/** Active links of the whole server on a plan without more. */
export const FREE_SHARES = 3;
/** Links that one person may have, whatever the plan. */
export const MAX_SHARES = 1_000;

const Id = t.String({ maxLength: 64 });

/** What a link lets people do: read; read and put files into a folder; put files into a folder and see nothing. */
export const ShareMode = t.Union([t.Literal("read"), t.Literal("write"), t.Literal("drop")]);
export type ShareMode = Static<typeof ShareMode>;

export const ShareInput = t.Object(
  {
    mode: t.Optional(ShareMode),
    /** ISO 8601; it never expires without one. */
    expires_at: t.Optional(Nullable(t.String({ maxLength: 40 }))),
    password: t.Optional(Nullable(t.String({ minLength: 8, maxLength: 256 }))),
    /** How many downloads there may be in all. */
    max_downloads: t.Optional(Nullable(t.Integer({ minimum: 1, maximum: 1_000_000 }))),
  },
  { additionalProperties: false },
);
export type ShareInput = Static<typeof ShareInput>;

export const Share = t.Object({
  id: t.String(),
  node_id: t.String(),
  /** Of the file or folder. */
  name: t.String(),
  mode: ShareMode,
  /** Where it is opened, below the address of this server. */
  path: t.String(),
  has_password: t.Boolean(),
  expires_at: NullableText,
  max_downloads: Nullable(t.Integer()),
  downloads: t.Integer(),
  uploads: t.Integer(),
  created_at: t.String(),
  last_used_at: NullableText,
  /** Whether it opens: not expired, not used up, not in the trash, its maker still a member. */
  is_active: t.Boolean(),
});
export type Share = Static<typeof Share>;

export const Shares = t.Object({
  shares: t.Array(Share),
  /** Active links that this server may have; null is no limit. */
  limit: Nullable(t.Integer()),
  /** Active links of everybody here. */
  active: t.Integer(),
});
export type Shares = Static<typeof Shares>;

const SharedNode = t.Object({
  id: t.String(),
  kind: t.UnionEnum(["folder", "file"]),
  name: t.String(),
  size_bytes: t.Integer(),
  changed_at: t.String(),
});
export type SharedNode = Static<typeof SharedNode>;

/** What is seen of a link before anything is done with it. Without the password no name is told. */
export const OpenedShare = t.Object({
  needs_password: t.Boolean(),
  mode: ShareMode,
  expires_at: NullableText,
  /** Null without a limit. */
  downloads_left: Nullable(t.Integer()),
  /** Null while the password is missing. */
  node: Nullable(SharedNode),
  /** Who shares it. */
  by: NullableText,
});
export type OpenedShare = Static<typeof OpenedShare>;

export const SharedTree = t.Object({
  /** From below the shared folder down to this one. */
  path: t.Array(t.Object({ id: t.String(), name: t.String() })),
  nodes: t.Array(SharedNode),
  next: NullableText,
});
export type SharedTree = Static<typeof SharedTree>;

/** Largest file that strangers send, and what they cut it into. */
export const SHARED_FILE_BYTES = 4 * 1024 * 1024 * 1024;

export const SharedFileInput = t.Object(
  {
    name: NameText(255),
    /** A folder in the shared one. */
    folder_id: t.Optional(Id),
    size_bytes: t.Integer({ minimum: 0, maximum: SHARED_FILE_BYTES }),
  },
  { additionalProperties: false },
);
export type SharedFileInput = Static<typeof SharedFileInput>;

export const SharedUpload = t.Object({
  upload_id: t.String(),
  chunk_bytes: t.Integer(),
  chunks: t.Integer(),
  /** When it is given up if nothing more comes. */
  expires_at: t.String(),
});
export type SharedUpload = Static<typeof SharedUpload>;

const AddedFile = t.Object({ name: t.String(), size_bytes: t.Integer() });
export type AddedFile = Static<typeof AddedFile>;

export const fail = defineErrors({
  share_not_found: [
    404,
    "This link does not open anything. It may have ended, or its file was removed. Ask whoever gave it to you for a new one.",
  ],
  share_used_up: [410, "This link was for {limit} downloads, and they are used up. Ask for a new one."],
  share_password_required: [403, "This link has a password. Enter it to go on."],
  share_password_wrong: [403, "That is not the password of this link. Ask whoever gave it to you."],
  share_mode: [400, "Only folders take files. Share this file to be read, or share the folder it is in."],
  share_expired_already: [400, "That time has passed. Choose one that lies ahead."],
  share_limit: [409, "You have {limit} links, the most there can be. End some of them first."],
  share_not_allowed: [403, "This link does not allow that."],
});

type OnShare = { user_id: string; ip: string; share_id: string; node_id: string; name: string };

export type ShareEvents = {
  "drive.share_created": OnShare & { mode: ShareMode };
  "drive.share_ended": OnShare;
  "drive.share_downloaded": OnShare;
  "drive.share_uploaded": OnShare;
  /** A wrong password. */
  "drive.share_refused": OnShare;
};

const reads = user(null, { component: DRIVE, keys: "never" });
// A link would outlive the key that made it.
const changes = member(null, { component: DRIVE, keys: "never" });
const Token = t.Object({ token: t.String({ maxLength: 100 }) });
const UploadParams = t.Object({ token: t.String({ maxLength: 100 }), upload_id: Id });
/** What the password was exchanged for. */
const Pass = t.Optional(t.String({ maxLength: 500 }));
const Page = t.Optional(t.String({ maxLength: 2_000 }));

export const shareRoutes = defineRoutes({
  "POST /api/drive/nodes/{id}/share": {
    access: changes,
    params: t.Object({ id: Id }),
    body: ShareInput,
    out: Share,
  },
  /** Of one file or folder, or all that the caller made. */
  "GET /api/drive/shares": { access: reads, query: t.Object({ node_id: t.Optional(Id) }), out: Shares },
  "DELETE /api/drive/shares/{id}": { access: changes, params: t.Object({ id: Id }), ...noContent() },
  "GET /api/shares/{token}": { access: open(), params: Token, query: t.Object({ pass: Pass }), out: OpenedShare },
  /** Exchanges the password for what the other calls take as `pass`, for an hour. */
  "POST /api/shares/{token}/pass": {
    access: open(),
    params: Token,
    body: t.Object({ password: t.String({ maxLength: 256 }) }, { additionalProperties: false }),
    out: t.Object({ pass: t.String() }),
  },
  "GET /api/shares/{token}/tree": {
    access: open(),
    params: Token,
    query: t.Object({ folder_id: t.Optional(Id), after: Page, pass: Pass }),
    out: SharedTree,
  },
  /** What is shared, or a file or folder in it; a folder comes as a ZIP archive. Counts as one download. */
  "GET /api/shares/{token}/download": {
    access: open(),
    params: Token,
    query: t.Object({ node_id: t.Optional(Id), pass: Pass }),
    ...answersAs("application/octet-stream"),
  },
  /** Multipart, field `file`, with the name of the file in it. */
  "POST /api/shares/{token}/upload": {
    access: open(),
    params: Token,
    query: t.Object({ folder_id: t.Optional(Id), pass: Pass }),
    ...UPLOAD,
    ...takesFile("file"),
    out: AddedFile,
  },
  /** Begins a file that comes in chunks. */
  "POST /api/shares/{token}/uploads": {
    access: open(),
    params: Token,
    query: t.Object({ pass: Pass }),
    body: SharedFileInput,
    out: { 201: SharedUpload },
  },
  /** Takes a chunk as the body, in any order. */
  "PUT /api/shares/{token}/uploads/{upload_id}": {
    access: open(),
    params: UploadParams,
    query: t.Object({ number: t.Integer({ minimum: 1 }), sha256: t.Optional(Sha256), pass: Pass }),
    ...UPLOAD,
    ...takesBytes(),
    out: ReceivedChunk,
  },
  "POST /api/shares/{token}/uploads/{upload_id}/finish": {
    access: open(),
    params: UploadParams,
    query: t.Object({ pass: Pass }),
    out: AddedFile,
  },
});
export type SharesApi = ApiOf<typeof shareRoutes>;
