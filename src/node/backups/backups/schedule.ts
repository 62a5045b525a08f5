import { isLongSince, toIso } from "../../../lib/clock.ts";
import { days, hours, minutes } from "../../../lib/duration.ts";
import type { BackupRun } from "../../base.ts";
import { findLeftOut } from "./left-out.ts";
import type { Own } from "./needs.ts";
import { listPlans, markSeen, type PlanRow } from "./plan-store.ts";
import { appsOf, dueAt } from "./plans.ts";
import { beginDrill } from "./restore.ts";
import { beginBackup } from "./run-backup.ts";
import { beginShare, isNight } from "./shares.ts";
import { beginDueStartTest } from "./start-test.ts";
import * as store from "./store.ts";

const STALE_MS = hours(48);
const DRILL_MS = days(7);
const RETRY_MS = hours(6);
/** What a clock is set right by every day. */
const SMALL_STEP_MS = minutes(15);

/** Begins what a plan wants; not when its apps cannot be reached and there is nothing else in it. */
function beginPlan(own: Own, plan: PlanRow): boolean {
  const isEngineThere = own.runtime.engine() !== null;
  const chosen = appsOf(plan);
  const apps = own.apps
    .list()
    .filter(({ id, installed_at }) => installed_at !== null && (chosen === null || chosen.includes(id)))
    .map(({ id }) => id);
  const isConfig = plan.include_config === 1;
  if (!isConfig && !isEngineThere && apps.length > 0) return false;
  own.db.tx(() => markSeen(own.db, plan.id, own.clock.now()));
  if (!isConfig && apps.length === 0) return false;
  const input = { target: plan.target, apps: isEngineThere ? apps : [], include_config: isConfig };
  beginBackup(own, null, input, plan);
  return true;
}

/** One that came to its own end, good or bad; that somebody cancelled one is no trouble, and says nothing of the others. */
const isOver = ({ status, made_by, cancelled }: store.BackupRow): boolean =>
  status !== "in_progress" && made_by === null && cancelled === 0;

/** Whether the newest good backup is too old to be relied on. */
const isStale = ({ clock }: Pick<Own, "clock">, { finished_at }: store.BackupRow): boolean =>
  finished_at !== null && clock.now() - Date.parse(finished_at) > STALE_MS;

const listRows = ({ db, clock }: Pick<Own, "db" | "clock">): store.BackupRow[] =>
  store.listBackups(db, toIso(clock.now()));

/** Tells once that no good backup came for long; what keeps them from being made need not have told of itself. */
export function tellStale(own: Own): void {
  const good = listRows(own).find((row) => isOver(row) && row.status === "completed");
  if (good === undefined || !isStale(own, good)) return;
  own.db.tx(() => {
    const { finished_at: last_success_at } = good;
    if (last_success_at !== null && store.markToldStale(own.db, good.id))
      own.bus.emit("backup.stale", { last_success_at });
  });
}

/** All plans. One that ran while the clock was far ahead counts from now on: it would rest until the clock is there again. */
function listCounted({ db, clock }: Pick<Own, "db" | "clock">): PlanRow[] {
  const now = clock.now();
  for (const { id, seen_at } of listPlans(db)) if (seen_at - now > SMALL_STEP_MS) db.tx(() => markSeen(db, id, now));
  return listPlans(db);
}

/**
 * Begins the plan that has waited longest, once, also when the server was off at that time. In a week without a proven backup the
 * newest one is tried, and each night a share of what lies at a target is read.
 */
export function beginDue(own: Own): void {
  const { db, clock } = own;
  if (own.work.current) return;
  const due = listCounted(own)
    .map((plan) => ({ plan, at: dueAt(plan) ?? Number.POSITIVE_INFINITY }))
    .filter(({ plan, at }) => plan.enabled === 1 && at <= clock.now())
    .toSorted((left, right) => left.at - right.at);
  for (const { plan } of due) if (beginPlan(own, plan)) return;
  const newest = listRows(own).find(({ status, made_by }) => status === "completed" && made_by === null);
  const proven = store.lastReadAt(db, toIso(clock.now()));
  const isDue = proven === null || clock.now() - Date.parse(proven) >= DRILL_MS;
  const wasTried = own.drill.at !== null && !isLongSince(clock, own.drill.at, RETRY_MS);
  if (!newest) return;
  if (newest.damage !== null || !isDue || wasTried) {
    if (!beginShare(own) && isNight(own)) beginDueStartTest(own);
    return;
  }
  own.drill.at = clock.now();
  beginDrill(own, null, newest.id);
}

/** The overview's block. */
export function readHealth({ db, clock, apps }: Pick<Own, "db" | "clock" | "apps">) {
  const over = listRows({ db, clock }).filter(isOver);
  const made = over.filter(({ status }) => status === "completed");
  const [good] = made;
  const isOld = good !== undefined && isStale({ clock }, good);
  const left_out = findLeftOut({ db, apps }, made);
  const status = over.length === 0 ? "none" : over[0] !== good ? "failed" : isOld ? "stale" : "ok";
  return {
    status,
    ...(left_out === null ? {} : { left_out }),
    last_success_at: good?.finished_at ?? null,
    last_verified_at: store.lastVerifiedAt(db, toIso(clock.now())),
    last_size_bytes: good?.size_bytes ?? 0,
  };
}

/** How the backups went that ended at that time or later, the oldest first. */
export function readRuns({ db }: Pick<Own, "db">, since: number): BackupRun[] {
  return store
    .listEnded(db, toIso(since))
    .filter(isOver)
    .flatMap(({ status, started_at, finished_at, size_bytes }) => {
      if (finished_at === null) return [];
      const times = { started_at: Date.parse(started_at), finished_at: Date.parse(finished_at) };
      return [{ is_good: status === "completed", ...times, size_bytes }];
    });
}
