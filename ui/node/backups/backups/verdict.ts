import type { Backup, Schedule, Target } from "../../../../src/node/backups/backups/contract.ts";
import type { SystemOverview } from "../../../../src/node/monitoring/system/contract.ts";
import { ago } from "../../../client/format.ts";
import type { State } from "../../../kit/status.tsx";

/** Whether one would get one's data back, in a sentence, and why. */
export interface Verdict {
  state: State;
  title: string;
  why: string;
}

const STALE_MS = 48 * 3_600_000;

const few = (names: readonly string[]): string =>
  names.length > 3 ? `${names.slice(0, 3).join(", ")} and ${names.length - 3} more` : names.join(", ");

/** Whether all of an app would come back from a backup of this server. */
const hasWhole = ({ status, made_by, damage, apps, half }: Backup, id: string): boolean =>
  status === "completed" && made_by === null && damage === null && apps.includes(id) && !half.includes(id);

/** Judges by what was done, never by what is planned. */
export function judge(
  targets: readonly Target[],
  backups: readonly Backup[],
  schedule: Schedule,
  apps: readonly { id: string; name: string }[],
  leftOut: SystemOverview["backup"]["left_out"] | null,
  now: number,
): Verdict {
  if (targets.length === 0)
    return {
      state: "crit",
      title: "No. Nothing is backed up.",
      why: "Add a place to keep backups. Best is one that is not this server's own: a disk, a bucket, a folder of another server, or another Orrery.",
    };
  const good = backups.find(({ status, made_by }) => status === "completed" && made_by === null);
  if (!good) return { state: "crit", title: "No. There is no backup yet.", why: "Make the first one now." };
  if (good.damage !== null)
    return {
      state: "crit",
      title: "No. The newest backup is damaged.",
      why: `${good.damage} Back up now: what is still on this server is stored anew.`,
    };
  const missing = apps.filter(({ id }) => !good.apps.includes(id)).map(({ name }) => name);
  const at = good.finished_at ?? good.started_at;
  const planned = schedule.next_run_at === null ? " No backup is planned." : "";
  if (now - Date.parse(at) > STALE_MS)
    return { state: "warn", title: "Only what is old.", why: `The newest backup is from ${ago(at, now)}.${planned}` };
  if (leftOut) {
    const names = few(leftOut.apps.map(({ name }) => name));
    return {
      state: "warn",
      title: "Not all of it.",
      why: `Backups are without ${names}. ${leftOut.next_step}${planned}`,
    };
  }
  const half = apps.filter(({ id }) => good.half.includes(id));
  if (half.length > 0) {
    const alone = half.filter(({ id }) => !backups.some((backup) => hasWhole(backup, id))).map(({ name }) => name);
    const others = alone.length === 0 ? "An older one has it all." : `No other has all of ${few(alone)} either.`;
    return {
      state: "warn",
      title: "Not all of it.",
      why: `Not all of ${few(half.map(({ name }) => name))} was there for the newest backup. ${others}${planned}`,
    };
  }
  if (!good.include_config || !good.include_objects || missing.length > 0) {
    const left = [
      ...(good.include_config ? [] : ["the settings of this server"]),
      ...(good.include_objects ? [] : ["buckets and Drives"]),
      ...missing,
    ];
    return { state: "warn", title: "Not all of it.", why: `The newest backup leaves out ${few(left)}.${planned}` };
  }
  const proven = backups.find(
    (backup) => backup.verified_at !== null && backup.made_by === null && backup.half.length === 0,
  );
  if (!proven?.verified_at)
    return {
      state: "warn",
      title: "Probably.",
      why: `Backed up ${ago(at, now)}, and not read back yet. Try it.${planned}`,
    };
  const isElsewhere = backups.some(
    ({ status, made_by, target, started_at, finished_at }) =>
      status === "completed" &&
      made_by === null &&
      now - Date.parse(finished_at ?? started_at) <= STALE_MS &&
      targets.some(({ id, own_disk }) => id === target && !own_disk),
  );
  if (!isElsewhere)
    return {
      state: "warn",
      title: "Yes, while this disk lives.",
      why: `Backups lie on the disk that they copy, and go with it. Add a target on another disk or server.${planned}`,
    };
  return {
    state: planned === "" ? "ok" : "warn",
    title: "Yes. Everything would come back.",
    why: `Backed up ${ago(at, now)}; read back and found whole ${ago(proven.verified_at, now)}.${planned}`,
  };
}
