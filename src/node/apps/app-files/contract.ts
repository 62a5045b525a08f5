import { type Static, t } from "elysia";
import { UPLOAD } from "../../../kernel/http/access.ts";
import { answersAs, takesBytes } from "../../../kernel/http/answers.ts";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { NameText } from "../../../kernel/http/schema.ts";
import { admin } from "../../access.ts";

const closed = { additionalProperties: false };

export const FileEntry = t.Object({
  name: t.String(),
  /** Links are shown and never followed; `other` are sockets, pipes and devices. */
  kind: t.UnionEnum(["file", "folder", "link", "other"]),
  size_bytes: t.Number(),
  modified_at: t.String(),
  /** As `chmod` writes it: 644. */
  mode: t.String(),
});
export type FileEntry = Static<typeof FileEntry>;

export const FileList = t.Object({
  volume: t.String(),
  path: t.String(),
  /** Folders first, then by name. */
  entries: t.Array(FileEntry),
  /** True where there are more than are shown. */
  is_cut: t.Boolean(),
});
export type FileList = Static<typeof FileList>;

const Params = t.Object({ id: t.String({ maxLength: 64 }) });
const Volume = t.String({ minLength: 1, maxLength: 100 });
/** Names with slashes between them, from the top of the volume; empty for the top itself. */
const Path = t.String({ maxLength: 4096 });

/** A folder, or what is renamed, and a name that people give. */
const Named = t.Object({ volume: Volume, path: Path, name: NameText(255) }, closed);
/** Without a volume there is none of that name; without a path it is the top of it. */
const Place = t.Object({ volume: t.Optional(Volume), path: t.Optional(Path) }, closed);

/** The largest file that is taken; larger ones are for the app's own ways. */
const UPLOAD_BYTES = 4 * 1024 ** 3;

export const UploadInput = t.Object(
  {
    volume: Volume,
    /** The folder it goes into. */
    path: Path,
    name: NameText(255),
    size_bytes: t.Integer({ minimum: 0, maximum: UPLOAD_BYTES }),
    /** Says that a file of that name is to be replaced. */
    overwrite: t.Optional(t.Boolean()),
  },
  closed,
);
export type UploadInput = Static<typeof UploadInput>;

export const UploadProgress = t.Object({ received_bytes: t.Integer(), is_done: t.Boolean() });
export type UploadProgress = Static<typeof UploadProgress>;

export const fail = defineErrors({
  app_volume_not_found: [
    404,
    "{app} has no volume {volume} now. It is made when the app starts; load the page of the app again then.",
  ],
  app_file_not_found: [404, "There is no {path} in this volume. It may have been removed; load the list again."],
  app_file_is_link: [409, "{path} is a link, or lies behind one. Links are not followed; open the place they lead to."],
  app_file_exists: [409, "There is a {path} already. Choose another name, or remove that one first."],
  app_files_busy: [409, "{app} is being worked on. Wait until that is done, then try again."],
  app_files_crowded: [409, "{limit} files are on their way already. Wait until one is through, then try again."],
  app_files_no_tools: [
    409,
    "No image of {app} has the tools that show files (sh, find, stat). Reach its files through the app itself.",
  ],
  app_files_no_room: [
    409,
    "The file has {needed_mb} MB, and Docker's disk takes {free_mb} MB more before it is too full. Free some space, then try again.",
  ],
  app_upload_not_found: [
    404,
    "There is no upload {id}: it was given up, or nothing came for a minute. Send the file again.",
  ],
  app_upload_out_of_step: [409, "{received} bytes have come so far. Send the part that begins there."],
  app_upload_too_much: [
    409,
    "A part has at most {limit} bytes, and all of them no more than the {size} that were announced.",
  ],
  app_files_refused: [409, "That did not work: {reason} Correct that, then try again."],
});

type ByAdmin = { user_id: string; app_id: string; app: string; volume: string; path: string; ip: string };

export type AppFileEvents = {
  "app_file.downloaded": ByAdmin;
  "app_file.folder_made": ByAdmin;
  "app_file.renamed": ByAdmin & { to: string };
  "app_file.removed": ByAdmin;
  "app_file.uploaded": ByAdmin & { size_bytes: number };
};

/** As for terminals: what a key is given for apps is not meant to read what people keep in them. */
const rule = { access: admin("apps", { keys: "never" }), params: Params };
const ofUpload = {
  ...rule,
  params: t.Object({ id: t.String({ maxLength: 64 }), upload_id: t.String({ maxLength: 64 }) }),
};
const Message = t.Object({ message: t.String() });

export const appFileRoutes = defineRoutes({
  "GET /api/apps/{id}/files": { ...rule, query: Place, out: FileList },
  /** A file as it is; a folder as a tar archive. */
  "GET /api/apps/{id}/files/content": { ...rule, query: Place, ...answersAs("application/octet-stream") },
  "POST /api/apps/{id}/files/folders": { ...rule, body: Named, out: Message },
  "POST /api/apps/{id}/files/rename": {
    ...rule,
    body: Named,
    out: Message,
  },
  /** The file then comes in parts, each a request: none is too large to be sent again, and how far it is can be seen. */
  "POST /api/apps/{id}/files/uploads": {
    ...rule,
    body: UploadInput,
    out: t.Object({ upload_id: t.String(), part_bytes: t.Integer() }),
  },
  "PUT /api/apps/{id}/files/uploads/{upload_id}": {
    ...ofUpload,
    ...UPLOAD,
    ...takesBytes(),
    query: t.Object({ offset: t.Optional(t.Integer({ minimum: 0 })) }),
    out: UploadProgress,
  },
  "DELETE /api/apps/{id}/files/uploads/{upload_id}": { ...ofUpload, out: Message },
  "DELETE /api/apps/{id}/files": { ...rule, query: Place, out: Message },
});
export type AppFilesApi = ApiOf<typeof appFileRoutes>;
