import { toIso } from "../../../lib/clock.ts";
import { days, hours } from "../../../lib/duration.ts";
import type { BackupRun } from "../../base.ts";
import type { Asker } from "../../platform/operations/index.ts";
import { fail, type Keep, type Schedule, type ScheduleInput } from "./contract.ts";
import type { Own } from "./needs.ts";
import { beginDrill } from "./restore.ts";
import { beginBackup } from "./run-backup.ts";
import * as store from "./store.ts";
import { getTarget } from "./targets.ts";

/** What is proposed where there is no schedule yet. */
const USUAL: Keep = { last: 3, daily: 7, weekly: 4, monthly: 6 };
const STALE_MS = hours(48);
const DRILL_MS = days(7);
const RETRY_MS = hours(6);

/** The moment of that time of day on the day of `at`, or `later` days after it, in the server's own zone. */
function momentOf(at: number, { hour, minute }: { hour: number; minute: number }, later: number): number {
  const day = new Date(at);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + later, hour, minute).getTime();
}

/** The first time after a moment. */
export function nextRun(at: number, time: { hour: number; minute: number }): number {
  const today = momentOf(at, time, 0);
  return today > at ? today : momentOf(at, time, 1);
}

const keepOf = ({ keep }: store.ScheduleRow): Keep | null => (keep === null ? null : JSON.parse(keep));

/** The schedule, off where there is none. */
export function readSchedule({ db, clock }: Pick<Own, "db" | "clock">): Schedule {
  const row = store.findSchedule(db);
  if (!row) return { enabled: false, target: null, hour: 3, minute: 0, keep: USUAL, next_run_at: null };
  const next = Math.max(clock.now(), nextRun(row.seen_at, row));
  const { target, hour, minute } = row;
  return { enabled: true, target, hour, minute, keep: keepOf(row), next_run_at: toIso(next) };
}

/** Writes the schedule. Throws `backup_target_not_found`. */
export function writeSchedule(own: Own, by: Asker, input: ScheduleInput): Schedule {
  const { enabled, target, hour, minute, keep = null } = input;
  const { db, bus, clock } = own;
  if (enabled && target == null) throw fail("backup_target_not_found", { id: "" });
  const row =
    enabled && target != null
      ? {
          target: getTarget(own, target).id,
          hour,
          minute,
          keep: keep && JSON.stringify(keep),
          seen_at: clock.now(),
        }
      : null;
  db.tx(() => {
    store.writeSchedule(db, row);
    bus.emit("backup_schedule.changed", { ...by, enabled: row !== null, target: row?.target ?? null });
  });
  return readSchedule(own);
}

/**
 * Begins the backup that is due: everything, once, also when the server was off at that time. In a week without a proven backup the
 * newest one is tried.
 */
export function beginDue(own: Own): void {
  const { db, clock } = own;
  if (own.work.current) return;
  const row = store.findSchedule(db);
  if (row && nextRun(row.seen_at, row) <= clock.now()) {
    const apps = own.runtime.engine() ? own.apps.list().filter(({ installed_at }) => installed_at !== null) : [];
    db.tx(() => store.writeSchedule(db, { ...row, seen_at: clock.now() }));
    const all = { target: row.target, apps: apps.map(({ id }) => id), include_config: true };
    beginBackup(own, null, all, keepOf(row));
    return;
  }
  const newest = store.listBackups(db).find(({ status, made_by }) => status === "completed" && made_by === null);
  const proven = store.lastVerifiedAt(db);
  const isDue = proven === null || clock.now() - Date.parse(proven) >= DRILL_MS;
  const wasTried = own.drill.at !== null && clock.now() - own.drill.at < RETRY_MS;
  if (!newest || newest.damage !== null || !isDue || wasTried) return;
  own.drill.at = clock.now();
  beginDrill(own, null, newest.id);
}

/** The overview's block. */
export function readHealth({ db, clock }: Pick<Own, "db" | "clock">) {
  const over = store.listBackups(db).filter(({ status, made_by }) => status !== "in_progress" && made_by === null);
  const good = over.find(({ status }) => status === "completed");
  const isStale = good?.finished_at != null && clock.now() - Date.parse(good.finished_at) > STALE_MS;
  const status = over.length === 0 ? "none" : over[0] !== good ? "failed" : isStale ? "stale" : "ok";
  return {
    status,
    last_success_at: good?.finished_at ?? null,
    last_verified_at: store.lastVerifiedAt(db),
    last_size_bytes: good?.size_bytes ?? 0,
  };
}

/** How the backups went that ended at that time or later, the oldest first. */
export function readRuns({ db }: Pick<Own, "db">, since: number): BackupRun[] {
  return store.listEnded(db, toIso(since)).flatMap(({ status, started_at, finished_at, size_bytes }) => {
    if (finished_at === null) return [];
    const times = { started_at: Date.parse(started_at), finished_at: Date.parse(finished_at) };
    return [{ is_good: status === "completed", ...times, size_bytes }];
  });
}
