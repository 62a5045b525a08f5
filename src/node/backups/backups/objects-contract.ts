import { type Static, t } from "elysia";
import { Nullable, NullableText } from "../../../kernel/http/schema.ts";

const Id = t.String({ minLength: 1, maxLength: 64 });

/** What a backup has of buckets and Drives. */
export const BackedUpObjects = t.Object({
  buckets: t.Array(t.Object({ name: t.String(), object_count: t.Integer(), size_bytes: t.Integer() })),
  drives: t.Array(
    t.Object({
      user_id: t.String(),
      username: t.String(),
      files: t.Integer(),
      size_bytes: t.Integer(),
      /** False where the account is no more: make it again by putting the whole server back. */
      is_here: t.Boolean(),
    }),
  ),
});
export type BackedUpObjects = Static<typeof BackedUpObjects>;

/** One page of a folder of the asker's own Drive in a backup. */
export const BackedUpDrive = t.Object({
  /** Null at the top. */
  folder: Nullable(t.Object({ id: t.String(), name: t.String(), parent_id: NullableText })),
  nodes: t.Array(
    t.Object({ id: t.String(), kind: t.UnionEnum(["file", "folder"]), name: t.String(), size_bytes: t.Integer() }),
  ),
  /** What `after` is for the next page. */
  next: NullableText,
});
export type BackedUpDrive = Static<typeof BackedUpDrive>;

export const ObjectsRestoreInput = t.Object(
  {
    buckets: t.Array(t.String({ minLength: 1, maxLength: 63 }), { maxItems: 1000, uniqueItems: true }),
    /** Also removes objects that came after the backup. */
    remove_later: t.Boolean(),
    /** Ids of the accounts whose whole Drive is put back. */
    drives: t.Array(Id, { maxItems: 1000, uniqueItems: true }),
    /** A file or folder of one's own Drive. */
    drive_node: t.Optional(Id),
    /** To where files were, and what is there becomes a version; otherwise into a new folder. */
    drives_over: t.Boolean(),
  },
  { additionalProperties: false },
);
export type ObjectsRestoreInput = Static<typeof ObjectsRestoreInput>;
