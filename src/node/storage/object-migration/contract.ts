import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { NullableText } from "../../../kernel/http/schema.ts";
import { admin, user } from "../../access.ts";
import { MIGRATION_PHASES, StoreMigration } from "../../host/components/contract.ts";
import { COMPONENT } from "../objects/contract.ts";

/** What routes of the Drive need besides the store: that it is known where its data is. */
export const DRIVE = "drive";

/** Every phase, and what follows on it: what is told of it stands in the contract of the components. */
export type Phase = StoreMigration["phase"];

export const isPhase = (text: string): text is Phase => MIGRATION_PHASES.some((phase) => phase === text);

const MigratedBucket = t.Object({
  name: t.String(),
  /** Objects that are here, of so many there, and the same in bytes. */
  copied: t.Integer(),
  total: t.Integer(),
  bytes: t.Integer(),
  total_bytes: t.Integer(),
  /** What of the bucket cannot be brought over; null for nothing. */
  note: NullableText,
});

/** All that the screen shows of objects that are brought over. */
export const MigrationReport = t.Object({
  /** Null where there never was a previous store. */
  migration: t.Union([StoreMigration, t.Null()]),
  total_bytes: t.Integer(),
  /** Data folder of the previous store. */
  folder: t.String(),
  buckets: t.Array(MigratedBucket),
  problem_count: t.Integer(),
  /** Objects that could not be brought over; the first hundred. */
  problems: t.Array(t.Object({ bucket: t.String(), object: t.String(), reason: t.String() })),
  started_at: NullableText,
  switched_at: NullableText,
  /** What the purge freed. */
  freed_bytes: t.Union([t.Integer(), t.Null()]),
  /** The one thing to do now; null where there is nothing to do. */
  next_step: NullableText,
  may: t.Object({ retry: t.Boolean(), leave_out: t.Boolean(), give_up: t.Boolean(), purge: t.Boolean() }),
});
export type MigrationReport = Static<typeof MigrationReport>;

export const RetryInput = t.Object(
  {
    /** Objects that cannot be brought over stay behind. */
    leave_out: t.Optional(t.Boolean()),
  },
  { additionalProperties: false },
);

export const PurgeResult = t.Object({
  freed_bytes: t.Integer(),
  /** The program of the previous store is removed as well: it lay in the node's own folder. */
  binary_removal_started: t.Boolean(),
});
export type PurgeResult = Static<typeof PurgeResult>;

export const fail = defineErrors({
  objstore_not_enough_space: [
    507,
    "There is not enough room for the objects of the previous store: they take {needed} bytes, and {free} are free. Free some space; it goes on by itself.",
  ],
  objstore_legacy_unavailable: [
    503,
    "The previous store cannot be reached: {error} Its objects are where they were. Mend that, then try again.",
  ],
  objstore_migration_state_unknown: [
    503,
    "How far the objects of the previous store were brought over cannot be read. Start the version of the program that wrote it, or bring the node's database back from a backup.",
  ],
  objstore_migration_state_unknown_next_start: [
    503,
    "How far the objects of the previous store were brought over could not be written down. Look at the disk with the data folder, then restart the node.",
  ],
  objstore_drive_next_start: [
    503,
    "Bringing objects over was given up while the previous store still holds files of the Drive. Restart the node to go on.",
  ],
  objstore_migration_objects_failed: [
    409,
    "Objects that could not be brought over: {count}. Look at each of them below, then try again, or go on without them.",
  ],
  objstore_migration_bucket_exists: [
    409,
    "Both stores have a bucket {bucket}. Remove the one here, or rename the other, then try again.",
  ],
  objstore_migration_given_up: [
    409,
    "Bringing objects over was given up, and what was copied is removed. The previous store is as it was; begin again at any time.",
  ],
  objstore_migration_failed: [500, "Bringing objects over ended early: {reason} Try again."],
  objstore_migration_in_progress: [
    409,
    "Objects are being brought over from the previous store. Wait until that is done, or give it up under Object storage.",
  ],
  objstore_migration_phase: [409, "That cannot be done now: {reason}"],
  objstore_legacy_purge_unavailable: [409, "There is nothing that could be removed now: {reason}"],
  objstore_legacy_purge_too_soon: [
    409,
    "The programs that use the store may still find out that something is missing. Remove the previous one in {minutes} minutes.",
  ],
  objstore_store_node_changed: [
    409,
    "None of the buckets that were brought over is here: this is another store than the one they came to. Keep the previous one.",
  ],
  objstore_store_data_mismatch: [
    409,
    "{moved} objects of {bucket} were brought over, and {now} are here now. See whether they were removed on purpose; if so, remove the folder of the previous store by hand.",
  ],
  objstore_legacy_changed_after_switch: [
    409,
    "{count} files of the previous store changed after the switch: something still writes to it. Point that program to this store and bring what it wrote over.",
  ],
  components_busy: [409, "Components are being changed. Wait until that is over, then try again."],
  drive_paused: [503, "The Drive is off until its data is found. {reason}"],
});
export type MigrationCode = keyof typeof fail.table;

type ByAdmin = { user_id: string; ip: string };

export type MigrationEvents = {
  "object_migration.failed": { code: string; words: string };
  "object_migration.switched": { buckets: number; objects: number; left_behind: number };
  "object_migration.retried": ByAdmin & { leave_out: boolean };
  "object_migration.given_up": ByAdmin;
  "object_migration.purge_begun": ByAdmin & { folder: string };
  "object_migration.purged": { freed_bytes: number };
};

const changes = admin(null, { component: COMPONENT });

export const migrationRoutes = defineRoutes({
  "GET /api/objects/migration": { access: user(null, { component: COMPONENT }), out: MigrationReport },
  "POST /api/objects/migration/retry": { access: changes, body: RetryInput, out: MigrationReport },
  "POST /api/objects/migration/give-up": { access: changes, out: MigrationReport },
  "POST /api/components/objstore/purge-minio": { access: changes, out: PurgeResult },
});
export type MigrationApi = ApiOf<typeof migrationRoutes>;
