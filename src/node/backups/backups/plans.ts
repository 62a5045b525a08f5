import { toIso } from "../../../lib/clock.ts";
import { parseCron } from "../../../lib/cron.ts";
import { sha256Hex } from "../../../lib/digest.ts";
import { minutes, seconds } from "../../../lib/duration.ts";
import type { Asker } from "../../platform/operations/index.ts";
import { fail, type Keep, type Plan, type PlanInput, type Schedule } from "./contract.ts";
import type { Own } from "./needs.ts";
import * as store from "./plan-store.ts";
import { getTarget } from "./targets.ts";

const MOST_PLANS = 20;
/** Between two runs of a plan, in so many that are looked at. */
const LEAST_GAP_MS = minutes(15);
const LOOKED_AT = 100;

/** How many backups of a plan stay; null for all. Older rows know no hours. */
export const keepOf = ({ keep }: Pick<store.PlanRow, "keep">): Keep | null =>
  keep === null ? null : { hourly: 0, ...JSON.parse(keep) };

/** Ids of the apps of a plan; null for all. */
export const appsOf = ({ apps }: Pick<store.PlanRow, "apps">): string[] | null =>
  apps === null ? null : JSON.parse(apps);

/**
 * When a plan runs next: the first time after what was seen to, and some time later, which is another each time and always the same
 * for the same, so that many servers do not come to one target at once. Null for never.
 */
export function dueAt({ id, cron, jitter_minutes, seen_at }: store.PlanRow): number | null {
  const at = parseCron(cron)?.next(seen_at) ?? null;
  if (at === null || jitter_minutes === 0) return at;
  const drawn = Number.parseInt(sha256Hex(`${id} ${at}`).slice(0, 8), 16) % (jitter_minutes * 60);
  return at + seconds(drawn);
}

function present(row: store.PlanRow, now: number): Plan {
  const due = row.enabled === 1 ? dueAt(row) : null;
  const { id, name, target, cron, jitter_minutes } = row;
  return {
    id,
    name,
    target,
    enabled: row.enabled === 1,
    cron,
    jitter_minutes,
    apps: appsOf(row),
    include_config: row.include_config === 1,
    keep: keepOf(row),
    next_run_at: due === null ? null : toIso(Math.max(now, due)),
  };
}

/** What is backed up by itself, and when something is next. */
export function readSchedule({ db, clock }: Pick<Own, "db" | "clock">): Schedule {
  const plans = store.listPlans(db).map((row) => present(row, clock.now()));
  const next = plans.flatMap(({ next_run_at }) => next_run_at ?? []).toSorted();
  return { plans, next_run_at: next[0] ?? null };
}

/** Throws `backup_plan_time`, `backup_plan_often`. */
function checkCron(cron: string, now: number): void {
  const parsed = parseCron(cron);
  let at = parsed?.next(now) ?? null;
  if (parsed === null || at === null) throw fail("backup_plan_time", { cron });
  for (let turn = 0; turn < LOOKED_AT; turn += 1) {
    const next = parsed.next(at);
    if (next === null) return;
    if (next - at < LEAST_GAP_MS) throw fail("backup_plan_often");
    at = next;
  }
}

/** Throws `backup_plan_not_found`. */
function getPlan({ db }: Pick<Own, "db">, id: string): store.PlanRow {
  const row = store.findPlan(db, id);
  if (row === null) throw fail("backup_plan_not_found", { id });
  return row;
}

/** Makes a plan or changes one. Throws the codes of the contract. */
function save(own: Own, by: Asker, id: string, input: PlanInput, change: "added" | "changed"): Plan {
  const { db, clock, bus } = own;
  const cron = input.cron.trim().replace(/\s+/g, " ");
  checkCron(cron, clock.now());
  getTarget(own, input.target);
  if (!input.include_config && input.apps?.length === 0) throw fail("backup_empty");
  const known = new Set(own.apps.list().map((app) => app.id));
  for (const app of input.apps ?? []) if (!known.has(app)) throw fail("backup_app_unknown", { app });
  if (store.listPlans(db).some((plan) => plan.name === input.name && plan.id !== id))
    throw fail("backup_plan_taken", { name: input.name });
  const row: store.PlanRow = {
    id,
    name: input.name,
    target: input.target,
    enabled: input.enabled ? 1 : 0,
    cron,
    jitter_minutes: input.jitter_minutes,
    apps: input.apps && JSON.stringify(input.apps),
    include_config: input.include_config ? 1 : 0,
    keep: input.keep && JSON.stringify(input.keep),
    seen_at: clock.now(),
  };
  db.tx(() => {
    store.savePlan(db, row);
    bus.emit("backup_schedule.changed", { ...by, plan_id: id, name: row.name, change, enabled: input.enabled });
  });
  return present(row, clock.now());
}

/** Makes a plan. Throws what `POST /api/backup/plans` answers. */
export function addPlan(own: Own, by: Asker, input: PlanInput): Plan {
  if (store.listPlans(own.db).length >= MOST_PLANS) throw fail("backup_plan_limit", { limit: MOST_PLANS });
  return save(own, by, own.ids.next("bpl"), input, "added");
}

/** Changes a plan. Throws as `addPlan`, and `backup_plan_not_found`. */
export function changePlan(own: Own, by: Asker, id: string, input: PlanInput): Plan {
  getPlan(own, id);
  return save(own, by, id, input, "changed");
}

/** Ends a plan; its backups stay until another plan or somebody removes them. Throws `backup_plan_not_found`. */
export function removePlan(own: Own, by: Asker, id: string): string {
  const { name } = getPlan(own, id);
  own.db.tx(() => {
    store.deletePlan(own.db, id);
    own.bus.emit("backup_schedule.changed", { ...by, plan_id: id, name, change: "removed", enabled: false });
  });
  return name;
}
