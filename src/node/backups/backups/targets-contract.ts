import { type Static, t } from "elysia";
import { LineText, NameText, Nullable, NullableText } from "../../../kernel/http/schema.ts";

const closed = { additionalProperties: false };

/** MB a second that backups, their checks and their tidying move to and from a target; null: as much as they can. */
const Bandwidth = Nullable(t.Integer({ minimum: 1, maximum: 10_000 }));

export const TargetLimit = t.Object({ max_mb_per_second: Bandwidth }, closed);
export type TargetLimit = Static<typeof TargetLimit>;

export const TargetInput = t.Object(
  {
    type: t.Union([t.Literal("local"), t.Literal("s3"), t.Literal("sftp"), t.Literal("webdav"), t.Literal("node")]),
    name: NameText(80),
    /** Folder of this server or of a mounted disk. */
    path: t.Optional(LineText(1000)),
    /** Address of an S3 server, such as https://s3.example.org. */
    endpoint: t.Optional(LineText(500)),
    region: t.Optional(LineText(60)),
    bucket: t.Optional(LineText(63)),
    /** Only what lies below it is used: letters, digits, dots, dashes and slashes. */
    prefix: t.Optional(t.String({ maxLength: 200 })),
    access_key: t.Optional(LineText(200)),
    secret_key: t.Optional(LineText(400)),
    /** Folder of a WebDAV server. */
    url: t.Optional(LineText(1000)),
    /** Name or address of an SFTP server, the folder there being `path`. */
    host: t.Optional(LineText(255)),
    /** 22 where it is left out. */
    port: t.Optional(t.Integer({ minimum: 1, maximum: 65_535 })),
    /** Opens an SFTP server instead of a password. */
    private_key: t.Optional(t.String({ maxLength: 20_000 })),
    /** Fingerprint of the SFTP server's key, `SHA256:…`; refused with the one it shows where it is left out. */
    host_key: t.Optional(LineText(100)),
    /** Of a place that another Orrery keeps for this one, whose address is `url`. */
    key: t.Optional(LineText(200)),
    username: t.Optional(LineText(200)),
    password: t.Optional(LineText(400)),
    /** Opens the backups besides the recovery key. */
    passphrase: t.Optional(t.String({ minLength: 12, maxLength: 200 })),
    /** Recovery key or passphrase of backups that are there already. */
    recovery_key: t.Optional(t.String({ minLength: 1, maxLength: 200 })),
    max_mb_per_second: t.Optional(Bandwidth),
  },
  closed,
);
export type TargetInput = Static<typeof TargetInput>;

export const Target = t.Object({
  id: t.String(),
  type: t.UnionEnum(["local", "s3", "sftp", "webdav", "node"]),
  name: t.String(),
  /** Folder, or address of the bucket or folder. */
  path: t.String(),
  created_at: t.String(),
  max_mb_per_second: Bandwidth,
  /** It lies on the disk of this server's data (ours): what takes the disk takes both. */
  own_disk: t.Boolean(),
});
export type Target = Static<typeof Target>;

export const TargetTest = t.Object({
  ok: t.Boolean(),
  /** What is wrong, as in the error of a backup; null: nothing. `backup_target_unguarded` keeps it from no use. */
  code: NullableText,
  words: t.String(),
  next_step: NullableText,
  /** What does not keep it from being used, and should be known. */
  warnings: t.Array(t.String()),
});
export type TargetTest = Static<typeof TargetTest>;

/** What has to be kept away from this server. */
export const RecoveryKit = t.Object({ target: Target, recovery_key: t.String() });
export type RecoveryKit = Static<typeof RecoveryKit>;
