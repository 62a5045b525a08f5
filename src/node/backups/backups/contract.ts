import { type Static, t } from "elysia";
import { answersAs } from "../../../kernel/http/answers.ts";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { LineText, NameText, Nullable, NullableText } from "../../../kernel/http/schema.ts";
import { admin } from "../../access.ts";
import {
  askedVolume,
  BackupFolder,
  BackupVolume,
  FileChanges,
  FileFinds,
  FilePath,
  PutBack,
  PutBackInput,
} from "./browse-contract.ts";
import { BackedUpDrive, BackedUpObjects, ObjectsRestoreInput } from "./objects-contract.ts";
import { Policy, PolicyInput } from "./policies-contract.ts";
import { RestoreInput, RestorePlan } from "./restore-contract.ts";
import { StartTest } from "./start-test-contract.ts";
import { RecoveryKit, Target, TargetInput, TargetLimit, TargetTest } from "./targets-contract.ts";

export { BackupFolder, FilePath } from "./browse-contract.ts";
export type { Policy, PolicyInput } from "./policies-contract.ts";
export type { RecoveryKit, Target, TargetLimit, TargetTest } from "./targets-contract.ts";
export { TargetInput } from "./targets-contract.ts";

const closed = { additionalProperties: false };
const Id = t.String({ minLength: 1, maxLength: 64 });

export const Backup = t.Object({
  id: t.String(),
  status: t.UnionEnum(["in_progress", "completed", "failed"]),
  target: t.String(),
  apps: t.Array(t.String()),
  /** Those of them of which not all was there when they were copied: what comes back of them may not be whole. */
  half: t.Array(t.String()),
  include_config: t.Boolean(),
  /** Buckets and Drives. */
  include_objects: t.Boolean(),
  /** What should be known of it that does not make it a bad one, in sentences. */
  notes: t.Array(t.String()),
  /** Why it failed. */
  cause: NullableText,
  /** Somebody ended it: it has failed, and nothing went wrong. */
  cancelled: t.Boolean(),
  op_id: t.String(),
  started_at: t.String(),
  finished_at: NullableText,
  size_bytes: t.Integer(),
  /** What it added to the target: the rest was there already. */
  added_bytes: t.Integer(),
  verified_at: NullableText,
  damage: NullableText,
  /** Name of the server that made it; null for this one. */
  made_by: NullableText,
  /** The plan that made it; null where somebody asked for it. */
  plan: NullableText,
});
export type Backup = Static<typeof Backup>;

export const BackupInput = t.Object(
  {
    target: Id,
    apps: t.Array(Id, { maxItems: 1000, uniqueItems: true }),
    include_config: t.Boolean(),
    /** Buckets and Drives; they go with the settings, and left out they do. */
    include_objects: t.Optional(t.Boolean()),
  },
  closed,
);
export type BackupInput = Static<typeof BackupInput>;

const Count = t.Integer({ minimum: 0, maximum: 1000 });
/** How many stay: the last ones, and the newest of so many hours, days, weeks and months. */
export const Keep = t.Object(
  { last: t.Integer({ minimum: 1, maximum: 1000 }), hourly: Count, daily: Count, weekly: Count, monthly: Count },
  closed,
);
export type Keep = Static<typeof Keep>;

const planned = {
  name: NameText(80),
  enabled: t.Boolean(),
  target: Id,
  /** Minute, hour, day, month and weekday as cron has them, in the server's own zone. */
  cron: LineText(100),
  /** It begins up to so much later, another time each day. */
  jitter_minutes: t.Integer({ minimum: 0, maximum: 120 }),
  /** Null: all that are installed then. */
  apps: Nullable(t.Array(Id, { maxItems: 1000, uniqueItems: true })),
  /** Settings, and with them buckets and Drives. */
  include_config: t.Boolean(),
  /** Null: all of its backups stay. */
  keep: Nullable(Keep),
};

export const Plan = t.Object({ id: t.String(), ...planned, next_run_at: NullableText });
export type Plan = Static<typeof Plan>;

export const PlanInput = t.Object(planned, closed);
export type PlanInput = Static<typeof PlanInput>;

export const Schedule = t.Object({ plans: t.Array(Plan), next_run_at: NullableText });
export type Schedule = Static<typeof Schedule>;

export const fail = defineErrors({
  backup_not_found: [404, "There is no backup {id}. Load the list again."],
  backup_target_not_found: [404, "There is no backup target {id}. Add one first."],
  backup_target_taken: [409, "{what} is a target already. Choose another one."],
  backup_target_path: [400, "{path} cannot hold backups: {reason}"],
  backup_target_unfit: [409, "{reason} Correct that, then try again."],
  backup_target_foreign: [409, "There is something else than backups of Orrery in {path}. Choose an empty place."],
  backup_target_other: [
    409,
    "In {path} are the backups of another target, which its key does not open. See that the right disk or bucket is there, then try again.",
  ],
  backup_target_newer: [409, "A newer Orrery made the backups in {path}. Update this server, then try again."],
  backup_target_away: [409, "It does not answer: {reason} See that it is on and can be reached, then try again."],
  backup_target_full: [409, "There is no room in {path}. Make some, or choose another place."],
  backup_target_host_key: [
    409,
    "{host} shows the key {fingerprint}. Compare it with what `ssh-keygen -lf` prints on that server, then confirm it.",
  ],
  backup_target_locked: [
    409,
    "There are backups in {path} already. Give their recovery key or passphrase, or choose an empty place.",
  ],
  backup_key_wrong: [
    409,
    "This is neither the recovery key nor the passphrase of the backups in {path}. Look at the kit.",
  ],
  backup_target_needed: [
    409,
    "Data of {what} is still to come from {name}. Put it back from another target, or uninstall it, then try again.",
  ],
  backup_restore_waits: [
    409,
    "Data of {what} is still to come from {source}, and that is tried again every ten minutes. Wait for it, or put all of it back from another backup.",
  ],
  backup_target_limit: [409, "There can be {limit} targets. Remove one first."],
  backup_plan_not_found: [404, "There is no backup plan {id}. Load the list again."],
  backup_plan_taken: [409, "There is a backup plan {name} already. Choose another name."],
  backup_plan_limit: [409, "There can be {limit} backup plans. Remove one first."],
  backup_plan_time: [
    400,
    "{cron} is no time that comes. Give minute, hour, day, month and weekday, such as 30 3 * * * for every day at 3:30.",
  ],
  backup_plan_often: [400, "A plan can run every 15 minutes and no more often. Choose fewer times."],
  backup_empty: [400, "Nothing was chosen. Choose apps, or the settings of this server."],
  backup_objects_alone: [
    400,
    "Buckets and Drives go into a backup with the settings, which name what is in them. Choose the settings, too.",
  ],
  backup_objects_not_in: [409, "Buckets and Drives are not in this backup. Choose another one."],
  backup_objects_unreadable: [409, "Buckets and Drives of this backup cannot be read: {reason} Choose another one."],
  backup_bucket_not_in: [409, "The bucket {bucket} is not in this backup. Load the list again."],
  backup_drive_not_in: [
    409,
    "That is not in this backup, or its account is no more. Load the list again, and make the account first if need be.",
  ],
  backup_busy: [409, "A backup or a restore is under way. Wait until it is through, then try again."],
  backup_not_running: [409, "This backup is not under way any more. Load the list again."],
  backup_not_completed: [409, "This backup did not complete, so nothing can be read from it. Choose another one."],
  backup_app_not_in: [
    409,
    "The app {app} is not in this backup, or has been uninstalled. Choose apps that are in both.",
  ],
  backup_beside_one: [400, "One app at a time is put back beside another. Choose one, and a name for the new one."],
  backup_not_read: [409, "What stands in this backup is not known yet. Open it first, then ask again."],
  backup_file_not_found: [404, "There is no {path} in this backup. Load the folder again."],
  backup_file_kind: [409, "{path} is neither a file nor a folder, so it cannot be saved alone. Take its folder."],
  backup_file_damaged: [409, "It cannot be read from the backup: {reason} Choose another backup."],
  backup_files_crowded: [409, "{limit} downloads from backups run already. Wait until one is through, then try again."],
  backup_searches_crowded: [409, "Two searches in backups run already. Wait until one is through, then try again."],
  backup_files_many: [
    409,
    "The volume {volume} has more than {limit} files, too many to show. Put the whole app back, or read it with the recovery kit.",
  ],
  backup_restore_room: [
    409,
    "{name} needs {needed} of disk where Docker keeps its data, and {free} are free, so nothing was changed. Make room, then try again.",
  ],
  backup_app_without: [409, "No good backup has {name}. Back it up first, then try again."],
  backup_snapshot_unfit: [409, "No snapshot can be taken here. {reason} Choose that the app is paused or stopped."],
  backup_app_unknown: [404, "There is no app {app}. Load the list of apps again."],
});

interface ByAdmin {
  user_id: string;
  ip: string;
}

/** Who asked for it; absent when the schedule did. */
interface OfBackup {
  backup_id: string;
  target: string;
  apps: string[];
  by?: ByAdmin;
}

interface OfFile {
  backup_id: string;
  app: string;
  volume: string;
  path: string;
}

export type BackupEvents = {
  "backup.started": OfBackup;
  "backup.completed": OfBackup & { size_bytes: number; added_bytes: number };
  "backup.failed": OfBackup & { cause: string };
  /** By whom is always told. */
  "backup.cancelled": OfBackup;
  /** An app is in a backup that was made. */
  "backup.app_stored": { backup_id: string; app_id: string };
  /** An app could not be in a backup, and nothing of it but its files is at fault. */
  "backup.app_left_out": { backup_id: string; app_id: string; name: string; cause: string };
  /** As it was made, where it is not damaged; some of its apps may have been half then. */
  "backup.verified": { backup_id: string; damage: string | null; half?: string[] };
  /** For two days no good one came; told once after each. */
  "backup.stale": { last_success_at: string };
  "backup.start_tested": { backup_id: string; app: string; name: string; cause: string | null };
  "backup.restored": OfBackup & { buckets?: string[]; drives?: number; beside?: string };
  "backup.file_downloaded": ByAdmin & OfFile;
  "backup.file_put_back": ByAdmin & OfFile & { mode: "beside" | "over"; to: string };
  "backup_target.added": ByAdmin & { target_id: string; name: string };
  "backup_target.limited": ByAdmin & { target_id: string; name: string; max_mb_per_second: number | null };
  "backup_target.removed": ByAdmin & { target_id: string; name: string };
  "backup_target.kit_shown": ByAdmin & { target_id: string; name: string };
  "backup_policy.changed": ByAdmin & { app: string; mode: Policy["mode"] };
  "backup_schedule.changed": ByAdmin & {
    plan_id: string;
    name: string;
    change: "added" | "changed" | "removed";
    enabled: boolean;
  };
};

const rule = admin("backups");
/** Where everything of this server goes, and what opens it, is for people to decide. */
const byPeople = admin("backups", { keys: "never" });
const Params = t.Object({ id: Id });
const Message = t.Object({ message: t.String() });

export const backupRoutes = defineRoutes({
  "GET /api/backups": { access: rule, out: t.Array(Backup) },
  "POST /api/backups": { access: rule, body: BackupInput, out: Backup },
  /** Ends one that is under way; what it stored is not stored again. */
  "POST /api/backups/{id}/cancel": { access: rule, params: Params, out: Message },
  /** Puts apps back as they were, after a backup of what they are now; or one as a new app beside the one that is there. */
  "POST /api/backups/{id}/restore": {
    access: byPeople,
    params: Params,
    body: RestoreInput,
    out: t.Object({ op_id: t.String(), apps: t.Array(t.String()) }),
  },
  /** What that would change, without changing anything. */
  "POST /api/backups/{id}/restore/plan": { access: byPeople, params: Params, body: RestoreInput, out: RestorePlan },
  "GET /api/backups/{id}/objects": { access: byPeople, params: Params, out: BackedUpObjects },
  /** Of others' Drives nobody sees more than how many files they have. */
  "GET /api/backups/{id}/drive": {
    access: byPeople,
    params: Params,
    query: t.Object({ folder: t.Optional(Id), after: t.Optional(Id) }, closed),
    out: BackedUpDrive,
  },
  /** Puts buckets and Drives back, after a backup of what they are now. */
  "POST /api/backups/{id}/objects/restore": {
    access: byPeople,
    params: Params,
    body: ObjectsRestoreInput,
    out: t.Object({ op_id: t.String() }),
  },
  /** Reads all of it back and opens its databases. */
  "POST /api/backups/{id}/verify": { access: rule, params: Params, out: t.Object({ op_id: t.String() }) },
  /** Reads what stands in it, which takes a while the first time; null when that is known already. */
  "POST /api/backups/{id}/browse": { access: rule, params: Params, out: t.Object({ op_id: NullableText }) },
  "GET /api/backups/{id}/volumes": { access: rule, params: Params, out: t.Array(BackupVolume) },
  "GET /api/backups/{id}/files": {
    access: rule,
    params: Params,
    query: t.Object({
      ...askedVolume,
      path: t.Optional(FilePath),
      from: t.Optional(t.Integer({ minimum: 0 })),
      limit: t.Optional(t.Integer({ minimum: 1, maximum: 500 })),
    }),
    out: BackupFolder,
  },
  /** What is other in this backup than in `against`, which has to be said. */
  "GET /api/backups/{id}/changes": {
    access: rule,
    params: Params,
    query: t.Object({ ...askedVolume, against: t.Optional(Id) }),
    out: FileChanges,
  },
  /** A file as it is, a folder as a tar archive. */
  "GET /api/backups/{id}/download": {
    access: byPeople,
    params: Params,
    query: t.Object({ ...askedVolume, path: t.Optional(FilePath) }),
    ...answersAs("application/octet-stream"),
  },
  /** Brings a file or a folder back into the volume of its app. */
  "POST /api/backups/{id}/put-back": { access: byPeople, params: Params, body: PutBackInput, out: PutBack },
  /** A word of names, in all backups that have been read. */
  "GET /api/backup/search": {
    access: rule,
    query: t.Object({ q: t.String({ minLength: 1, maxLength: 200 }) }),
    out: FileFinds,
  },
  /** Reads all backups that were not read yet, one after the other; null where there is none. */
  "POST /api/backup/search/read": { access: rule, out: t.Object({ op_id: NullableText }) },
  /** Ends that; what was read stays known. */
  "POST /api/backup/search/stop": { access: rule, out: Message },
  "GET /api/backup/targets": { access: rule, out: t.Array(Target) },
  "POST /api/backup/targets": { access: byPeople, body: TargetInput, out: Target },
  "POST /api/backup/targets/{id}/test": { access: rule, params: Params, out: TargetTest },
  "GET /api/backup/targets/{id}/kit": { access: byPeople, params: Params, out: RecoveryKit },
  "PUT /api/backup/targets/{id}/limit": { access: byPeople, params: Params, body: TargetLimit, out: Target },
  "DELETE /api/backup/targets/{id}": { access: byPeople, params: Params, out: Message },
  "GET /api/backup/policies": { access: rule, out: t.Array(Policy) },
  "PUT /api/backup/policies/{id}": { access: byPeople, params: Params, body: PolicyInput, out: Policy },
  "GET /api/backup/start-tests": { access: rule, out: t.Array(StartTest) },
  /** Starts a copy of an app from its newest backup, apart from everything, and asks whether it works. */
  "POST /api/backup/start-tests/{id}": { access: rule, params: Params, out: t.Object({ op_id: t.String() }) },
  "GET /api/backup/schedule": { access: rule, out: Schedule },
  "POST /api/backup/plans": { access: byPeople, body: PlanInput, out: Plan },
  "PUT /api/backup/plans/{id}": { access: byPeople, params: Params, body: PlanInput, out: Plan },
  "DELETE /api/backup/plans/{id}": { access: byPeople, params: Params, out: Message },
});
export type BackupApi = ApiOf<typeof backupRoutes>;
