import { type Static, t } from "elysia";
import { answersAs, noContent, takesBytes } from "../../../kernel/http/answers.ts";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { LineText, NameText, Nullable, NullableText } from "../../../kernel/http/schema.ts";
import { admin, openWithOwnKey } from "../../access.ts";

const closed = { additionalProperties: false };
const Id = t.String({ minLength: 1, maxLength: 64 });
const GIB = 1024 ** 3;

/** A place here where one other server keeps its backups. */
export const DropOff = t.Object({
  id: t.String(),
  name: t.String(),
  /** Folder that they lie in. */
  path: t.String(),
  quota_bytes: t.Integer(),
  /** Each file counts as 4 KiB at least. */
  used_bytes: t.Integer(),
  /** What is there stays: its key removes no backups. */
  append_only: t.Boolean(),
  /** Null: its key never runs out. */
  expires_at: NullableText,
  is_expired: t.Boolean(),
  created_at: t.String(),
  last_used_at: NullableText,
});
export type DropOff = Static<typeof DropOff>;

const changeable = {
  name: NameText(80),
  quota_bytes: t.Integer({ minimum: 64 * 1024 ** 2, maximum: 1_000_000 * GIB }),
  append_only: t.Boolean(),
};
/** From now on; null: it never runs out. */
const ExpiresInDays = Nullable(t.Integer({ minimum: 1, maximum: 3650 }));

export const DropOffInput = t.Object(
  {
    ...changeable,
    expires_in_days: ExpiresInDays,
    /** Folder of a mounted disk; left out, they lie in the data folder of this server. */
    path: t.Optional(LineText(1000)),
  },
  closed,
);
export type DropOffInput = Static<typeof DropOffInput>;

/** When its key runs out stays as it is where nothing is said of it. */
export const DropOffChange = t.Object({ ...changeable, expires_in_days: t.Optional(ExpiresInDays) }, closed);
export type DropOffChange = Static<typeof DropOffChange>;

/** What the other server has to be given; the key is shown this once. */
export const DropOffKey = t.Object({ drop_off: DropOff, key: t.String() });
export type DropOffKey = Static<typeof DropOffKey>;

export const DropEntry = t.Object({ name: t.String(), size: t.Integer() });

/** A file takes as much of the quota at least: each costs the disk a block, however little is in it. */
export const LEAST_FILE = 4 * 1024;
/** Files of one place; packs of a repository have 16 MiB, so these are 8 TB. */
export const MOST_FILES = 500_000;

/** Bytes of one request; a file comes in several. */
export const PIECE_BYTES = 6 * 1024 ** 2;
/** No file of a repository is larger. */
export const MOST_FILE = 64 * 1024 ** 2;

export const fail = defineErrors({
  drop_off_not_found: [404, "There is no such place for backups of other servers. Load the list again."],
  drop_off_taken: [409, "There is a place {name} already. Choose another name."],
  drop_off_limit: [409, "There can be {limit} places for other servers. Remove one first."],
  drop_off_path: [400, "{path} cannot hold backups: {reason}"],
  drop_off_busy: [409, "Its server is writing to it at this moment. Try again when that is through."],
  drop_key_refused: [
    401,
    "This key opens nothing here: it is wrong, has run out, or was taken back. Ask for a new one.",
  ],
  drop_name: [400, "{name} is no name in a repository."],
  drop_listed: [429, "Too many lists are on their way from this server. Try again when they have arrived."],
  drop_missing: [404, "There is no {name}."],
  drop_exists: [412, "There is a {name} already."],
  drop_append_only: [403, "What is kept here stays: this key removes no {name}."],
  drop_full: [507, "The place has {quota_bytes} bytes, and they are used up. Ask for more, or remove old backups."],
  drop_files: [507, "The place has {limit} files, which is as many as it may have. Remove old backups."],
  drop_piece: [409, "That piece of {name} does not follow what is here. Send the file again."],
  drop_damaged: [422, "{name} did not arrive as it was sent. Send it again."],
  drop_away: [503, "The disk of this place does not answer: {reason}"],
  drop_crowded: [429, "Too many files are on their way to this server. Try again in a moment."],
});

interface ByAdmin {
  user_id: string;
  ip: string;
}
type OfDropOff = ByAdmin & { drop_off_id: string; name: string };

export type DropOffEvents = {
  "drop_off.added": OfDropOff & { quota_bytes: number; append_only: boolean };
  "drop_off.changed": OfDropOff & { quota_bytes: number; append_only: boolean };
  "drop_off.key_made": OfDropOff;
  "drop_off.removed": OfDropOff & { with_data: boolean };
};

const rule = admin("backups");
/** Whoever has a key writes to this server's disk, and goes on when who made it is gone: that is for people to decide. */
const byPeople = admin("backups", { keys: "never" });
const Params = t.Object({ id: Id });
const Name = t.String({ minLength: 1, maxLength: 200 });

export const dropOffRoutes = defineRoutes({
  "GET /api/backup/drop-offs": { access: rule, out: t.Array(DropOff) },
  "POST /api/backup/drop-offs": { access: byPeople, body: DropOffInput, out: DropOffKey },
  "PUT /api/backup/drop-offs/{id}": { access: byPeople, params: Params, body: DropOffChange, out: DropOff },
  /** The key before it opens nothing any more. */
  "POST /api/backup/drop-offs/{id}/key": { access: byPeople, params: Params, out: DropOffKey },
  "DELETE /api/backup/drop-offs/{id}": {
    access: byPeople,
    params: Params,
    query: t.Object({ delete_data: t.Boolean() }, closed),
    out: t.Object({ message: t.String() }),
  },
  /** The rest is for the other server, which shows its key as a bearer; a key sees its own place alone. */
  "GET /api/drop-off/files": {
    access: openWithOwnKey(),
    query: t.Object({ folder: Name }, closed),
    out: t.Array(DropEntry),
  },
  "GET /api/drop-off/file": {
    access: openWithOwnKey(),
    query: t.Object(
      {
        name: Name,
        at: t.Optional(t.Integer({ minimum: 0 })),
        length: t.Optional(t.Integer({ minimum: 1, maximum: MOST_FILE })),
      },
      closed,
    ),
    ...answersAs("application/octet-stream"),
  },
  /** One piece of a new file after the other; with the last the file is there, whole, or not at all. Nothing is written over. */
  "PUT /api/drop-off/file": {
    access: openWithOwnKey(),
    query: t.Object(
      {
        name: Name,
        at: t.Integer({ minimum: 0, maximum: MOST_FILE }),
        size: t.Integer({ minimum: 0, maximum: MOST_FILE }),
        sha256: t.String({ pattern: "^[0-9a-f]{64}$" }),
      },
      closed,
    ),
    parse: "none",
    ...takesBytes(),
    out: t.Object({ received_bytes: t.Integer() }),
  },
  "DELETE /api/drop-off/file": { access: openWithOwnKey(), query: t.Object({ name: Name }, closed), ...noContent() },
});
export type DropOffApi = ApiOf<typeof dropOffRoutes>;
