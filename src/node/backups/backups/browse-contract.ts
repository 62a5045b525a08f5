import { type Static, t } from "elysia";
import { Nullable, NullableText } from "../../../kernel/http/schema.ts";

const Id = t.String({ minLength: 1, maxLength: 64 });

/** A volume in a backup, when what stands in it has been read. */
export const BackupVolume = t.Object({
  app: t.String(),
  app_name: t.String(),
  volume: t.String(),
  size_bytes: t.Integer(),
  entries: t.Integer(),
  /** Whether the app is installed here, so that files can be put back. */
  is_here: t.Boolean(),
});
export type BackupVolume = Static<typeof BackupVolume>;

export const BackupFile = t.Object({
  /** Below the volume, without a slash before it. */
  path: t.String(),
  name: t.String(),
  kind: t.UnionEnum(["file", "folder", "link", "other"]),
  size_bytes: t.Integer(),
  changed_at: t.String(),
  /** Where a link leads. */
  link: NullableText,
});
export type BackupFile = Static<typeof BackupFile>;

export const FilePath = t.String({ maxLength: 4000 });
/** Left out, it is the first of the backup. */
export const askedVolume = { app: t.Optional(Id), volume: t.Optional(t.String({ minLength: 1, maxLength: 300 })) };
const ofVolume = { app: Id, volume: t.String({ minLength: 1, maxLength: 300 }) };

export const BackupFolder = t.Object({
  path: t.String(),
  total: t.Integer(),
  files: t.Array(BackupFile),
  /** What `from` is on the next page; null on the last. */
  next: Nullable(t.Integer()),
});

/** A file that was found, with its states from the newest to the oldest. */
export const FoundFile = t.Object({
  path: t.String(),
  name: t.String(),
  kind: BackupFile.properties.kind,
  app: t.String(),
  app_name: t.String(),
  volume: t.String(),
  versions: t.Array(
    t.Object({
      /** The newest backup that has it so, and how many of those that were searched have. */
      backup_id: t.String(),
      backup_at: t.String(),
      backups: t.Integer(),
      size_bytes: t.Integer(),
      changed_at: t.String(),
      link: NullableText,
    }),
  ),
  /** Whether there are older states than these. */
  has_more: t.Boolean(),
});
export type FoundFile = Static<typeof FoundFile>;
export const FileFinds = t.Object({
  files: t.Array(FoundFile),
  has_more: t.Boolean(),
  searched: t.Integer(),
  /** Backups of apps that were not read yet: what stands in them is not known. */
  unread: t.Array(t.String()),
  /** The operation that reads them now. */
  reading: NullableText,
});
export type FileFinds = Static<typeof FileFinds>;

export const FileChange = t.Object({
  path: t.String(),
  change: t.UnionEnum(["added", "removed", "changed"]),
  kind: t.UnionEnum(["file", "folder", "link", "other"]),
  size_before: Nullable(t.Integer()),
  size_after: Nullable(t.Integer()),
});
export const FileChanges = t.Object({
  added: t.Integer(),
  removed: t.Integer(),
  changed: t.Integer(),
  unchanged: t.Integer(),
  /** The first of them, by path. */
  changes: t.Array(FileChange),
});
export type FileChanges = Static<typeof FileChanges>;

export const PutBackInput = t.Object(
  {
    ...ofVolume,
    path: t.String({ minLength: 1, maxLength: 4000 }),
    /** `beside` gives it a name with the day of the backup; `over` replaces what is there now, which is backed up before. */
    mode: t.Union([t.Literal("beside"), t.Literal("over")]),
    /** Says what would change, and changes nothing. */
    dry_run: t.Boolean(),
  },
  { additionalProperties: false },
);
export type PutBackInput = Static<typeof PutBackInput>;

export const PutBack = t.Object({
  /** Null for a dry run. */
  op_id: NullableText,
  /** The path that it comes back to. */
  path: t.String(),
  size_bytes: t.Integer(),
  /** What a dry run found. */
  changes: Nullable(FileChanges),
});
export type PutBack = Static<typeof PutBack>;
