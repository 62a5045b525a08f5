import { liveForAdmins, onRecord } from "../../event-lines.ts";
import type { AlertWord, AuditLine, EventMeanings, TimelineLine } from "../../event-meaning.ts";
import type { BackupEvents } from "./contract.ts";
import { LEFT_OUT, OF_APP } from "./watched.ts";

/** What the node does by itself has no address. */
function audit({ by, ...details }: BackupEvents["backup.started"]): AuditLine {
  const asked = by === undefined ? {} : { user_id: by.user_id };
  return { resource: `backup:${details.backup_id}`, details: { ...details, ...asked }, ip_address: by?.ip ?? "" };
}

const present = ({ by: _, ...data }: BackupEvents["backup.started"]): object => data;

const line = (severity: TimelineLine["severity"], title: string, isInbox = false): TimelineLine => ({
  category: "backup",
  severity,
  title,
  link: "/backups",
  ...(isInbox ? { isInbox } : {}),
});

/** Not said of the app itself, since that is stopped for many a backup, which ends all that is known of it. */
const leftOut = (appId: string, name: string | null, bad: boolean, message = ""): AlertWord => ({
  metric: LEFT_OUT,
  entity: `${OF_APP}:${appId}`,
  name,
  bad,
  message,
});

const ofTarget = onRecord<{ target_id: string; ip: string }>(({ target_id }) => `backup_target:${target_id}`);

const ofFile = onRecord<{ backup_id: string; ip: string }>(({ backup_id }) => `backup:${backup_id}`);

export const backupMeanings: EventMeanings<BackupEvents> = {
  "backup.started": { audit, webhook: { trigger: "A backup begins", present } },
  "backup.completed": {
    audit,
    timeline: () => line("info", "A backup was completed"),
    webhook: { trigger: "A backup finishes successfully", present },
    live: liveForAdmins,
  },
  "backup.failed": {
    audit,
    timeline: ({ cause }) => line("critical", `A backup failed: ${cause}`, true),
    webhook: { trigger: "A backup fails", present },
    live: liveForAdmins,
  },
  "backup.cancelled": {
    audit,
    timeline: ({ by }, nameOf) => line("info", `A backup was cancelled by ${nameOf(by?.user_id ?? "")}`),
    live: liveForAdmins,
  },
  "backup.app_stored": {
    alert: ({ app_id }) => leftOut(app_id, null, false),
  },
  "backup.app_left_out": {
    alert: ({ app_id, name, cause }) => leftOut(app_id, name, true, `The newest backup is without ${cause}`),
  },
  "backup.verified": {
    timeline({ damage, half = [] }) {
      if (damage !== null) return line("critical", `A backup is damaged: ${damage}`, true);
      const is = half.length === 0 ? "whole" : "as it was made: not all of its apps were whole then";
      return line("info", `A backup was read back and is ${is}`);
    },
    live: liveForAdmins,
  },
  "backup.stale": {
    timeline: ({ last_success_at }) =>
      line(
        "warning",
        `There was no good backup for two days: the last one is of ${last_success_at.slice(0, 10)}`,
        true,
      ),
    live: liveForAdmins,
  },
  "backup.start_tested": {
    timeline: ({ name, cause }) =>
      cause === null
        ? line("info", `${name} started from its backup and answered`)
        : line("warning", `${name} did not start from its backup: ${cause}`, true),
    live: liveForAdmins,
  },
  "backup.restored": {
    audit,
    timeline: ({ apps }) =>
      line("info", `${apps.length > 0 ? "Apps" : "Buckets and Drives"} were put back from a backup`),
    webhook: { trigger: "A restore completes", present },
  },
  "backup.file_downloaded": { audit: ofFile },
  "backup.file_put_back": {
    audit: ofFile,
    timeline: ({ path }) => line("info", `${path} was put back from a backup`),
  },
  "backup_target.added": { audit: ofTarget },
  "backup_target.limited": { audit: ofTarget },
  "backup_target.removed": { audit: ofTarget },
  "backup_target.kit_shown": { audit: ofTarget },
  "backup_policy.changed": { audit: onRecord<{ app: string; ip: string }>(({ app }) => `app:${app}`) },
  "backup_schedule.changed": { audit: onRecord(() => "backup_schedule") },
};
