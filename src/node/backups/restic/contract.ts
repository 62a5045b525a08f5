import { type Static, t } from "elysia";
import { answersAs } from "../../../kernel/http/answers.ts";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { Nullable, NullableText } from "../../../kernel/http/schema.ts";
import { admin } from "../../access.ts";
import { BackupFolder, FilePath, TargetInput } from "../backups/contract.ts";

const closed = { additionalProperties: false };
const Id = t.String({ minLength: 1, maxLength: 64 });

const { passphrase: _passphrase, recovery_key: _recovery, key: _key, type: _type, ...place } = TargetInput.properties;

/** A repository of restic that can be looked into; nothing is ever written to it. */
export const ResticRepository = t.Object({
  id: t.String(),
  type: t.UnionEnum(["local", "s3", "sftp", "webdav"]),
  name: t.String(),
  /** Folder, or address of the bucket or folder. */
  path: t.String(),
  /** Of its format: 1 or 2. */
  version: t.Integer(),
  created_at: t.String(),
  /** When its snapshots and its index were read last; null: not yet. */
  read_at: NullableText,
});
export type ResticRepository = Static<typeof ResticRepository>;

/** The place as targets of backups have it. */
export const ResticInput = t.Object(
  {
    type: t.Union([t.Literal("local"), t.Literal("s3"), t.Literal("sftp"), t.Literal("webdav")]),
    ...place,
    /** Of restic; kept sealed, never shown. */
    repository_password: t.String({ minLength: 1, maxLength: 1000 }),
  },
  closed,
);
export type ResticInput = Static<typeof ResticInput>;

export const ResticSnapshot = t.Object({
  id: t.String(),
  created_at: t.String(),
  host: t.String(),
  user: t.String(),
  paths: t.Array(t.String()),
  tags: t.Array(t.String()),
  /** Null where the restic that made it did not write it down: older than 0.17. */
  size_bytes: Nullable(t.Integer()),
  files: Nullable(t.Integer()),
});
export type ResticSnapshot = Static<typeof ResticSnapshot>;

export const ResticSnapshots = t.Object({
  /** Newest first. */
  snapshots: t.Array(ResticSnapshot),
  total: t.Integer(),
  /** What `from` is on the next page; null on the last. */
  next: Nullable(t.Integer()),
  /** Those that are damaged. */
  unreadable: t.Integer(),
});
export type ResticSnapshots = Static<typeof ResticSnapshots>;

export const fail = defineErrors({
  restic_not_found: [404, "There is no such restic repository. Load the list again."],
  restic_taken: [409, "{what} is attached already. Choose another one."],
  restic_many: [409, "{limit} restic repositories can be attached. Detach one first."],
  restic_none: [
    409,
    "There is no restic repository in {path}: {reason} Give the folder that has the file config and the folders keys, data and snapshots.",
  ],
  restic_newer: [
    409,
    "A newer restic made the repository in {path}: {reason} This server reads 1 and 2. Update it, or use restic itself.",
  ],
  restic_password: [409, "{reason} Type the one that restic asks for, then try again."],
  restic_costly: [
    409,
    "{reason} Add a key with `restic key add` of a usual restic, remove the costly one, then try again.",
  ],
  restic_damaged: [
    409,
    "It is damaged: {reason} Run `restic check --read-data` on it, which says what else is; then choose another snapshot.",
  ],
  restic_changed: [409, "{reason} Read the repository again, then try once more."],
  restic_limit: [409, "It is too much for this server: {reason} Choose less, or use restic itself."],
  restic_room: [409, "There is no room on this server's own disk: {reason} Make some, then try again."],
  restic_away: [409, "The place does not answer: {reason} See that it is on and can be reached, then try again."],
  restic_refused: [409, "The place refused: {reason} Correct that, then try again."],
  restic_host_key: [
    409,
    "{host} shows the key {fingerprint}. Compare it with what `ssh-keygen -lf` prints on that server, then confirm it.",
  ],
  restic_unread: [409, "What is in this repository is not known yet. Read it first, then ask again."],
  restic_busy: [409, "This repository is being read. Wait until that is through, then try again."],
  restic_snapshot: [404, "There is no snapshot {snapshot}. Read the repository again."],
  restic_path: [404, "There is no {path} in this snapshot. Load the folder again."],
  restic_kind: [409, "{path} is neither a file nor a folder, so it cannot be saved alone. Take its folder."],
  restic_crowded: [
    409,
    "{limit} downloads from restic repositories run already. Wait until one is through, then try again.",
  ],
});

interface ByAdmin {
  user_id: string;
  ip: string;
}

export type ResticEvents = {
  "restic.attached": ByAdmin & { restic_id: string; name: string; path: string };
  "restic.detached": ByAdmin & { restic_id: string; name: string };
  "restic.file_downloaded": ByAdmin & { restic_id: string; snapshot: string; path: string };
};

const rule = admin("backups");
/** What this server may read from elsewhere, and what leaves it, is for people to decide. */
const byPeople = admin("backups", { keys: "never" });
const Params = t.Object({ id: Id });
const OfSnapshot = t.Object({ id: Id, snapshot: Id });
const From = t.Optional(t.Integer({ minimum: 0 }));
const Limit = t.Optional(t.Integer({ minimum: 1, maximum: 500 }));

export const resticRoutes = defineRoutes({
  "GET /api/backup/restic": { access: rule, out: t.Array(ResticRepository) },
  "POST /api/backup/restic": { access: byPeople, body: ResticInput, out: ResticRepository },
  "DELETE /api/backup/restic/{id}": { access: byPeople, params: Params, out: t.Object({ message: t.String() }) },
  /** Reads which snapshots there are and where their pieces lie; what was read before is not read again. */
  "POST /api/backup/restic/{id}/read": { access: rule, params: Params, out: t.Object({ op_id: t.String() }) },
  "GET /api/backup/restic/{id}/snapshots": {
    access: rule,
    params: Params,
    query: t.Object({ from: From, limit: Limit }),
    out: ResticSnapshots,
  },
  "GET /api/backup/restic/{id}/snapshots/{snapshot}/files": {
    access: rule,
    params: OfSnapshot,
    query: t.Object({ path: t.Optional(FilePath), from: From, limit: Limit }),
    out: BackupFolder,
  },
  /** A file as it is, a folder as a tar archive. */
  "GET /api/backup/restic/{id}/snapshots/{snapshot}/download": {
    access: byPeople,
    params: OfSnapshot,
    query: t.Object({ path: t.Optional(FilePath) }),
    ...answersAs("application/octet-stream"),
  },
});
export type ResticApi = ApiOf<typeof resticRoutes>;
