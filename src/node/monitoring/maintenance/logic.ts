import { toIso } from "../../../lib/clock.ts";
import { parseJson } from "../../../lib/json.ts";
import type { Actor } from "../../actor.ts";
import { checkSpan, checkZone, ownZone, toWallTime } from "./check-times.ts";
import { fail, type MaintenanceChange, type MaintenanceInput, type MaintenanceWindow } from "./contract.ts";
import type { Needs } from "./needs.ts";
import { isActive, nextSpan } from "./recurrence.ts";
import * as store from "./store.ts";

type Deps = Pick<Needs, "db" | "clock" | "ids" | "bus">;
/** Who asks, and from where. */
type By = { actor: Pick<Actor, "user_id">; ip: string };

const MAX_WINDOWS = 100;

function readRuleIds(row: store.WindowRow): string[] {
  const ids = parseJson(row.rule_ids);
  return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
}

function present(row: store.WindowRow, now: number): MaintenanceWindow {
  const next = nextSpan(row, now);
  return {
    ...row,
    rule_ids: readRuleIds(row),
    active: next !== null && next.start <= now,
    next_start: next && toIso(next.start),
    next_end: next && toIso(next.end),
  };
}

/** Every window, newest first. */
export function listMaintenance({ db, clock }: Pick<Deps, "db" | "clock">): MaintenanceWindow[] {
  return store.listWindows(db).map((row) => present(row, clock.now()));
}

/** One window. Throws `maintenance_not_found`. */
export function readMaintenance({ db, clock }: Pick<Deps, "db" | "clock">, id: string): MaintenanceWindow {
  const row = store.findWindow(db, id);
  if (!row) throw fail("maintenance_not_found", { id });
  return present(row, clock.now());
}

type Settled = Omit<store.WindowRow, "id" | "created_at" | "updated_at">;

/** Fills in what was left out and checks the whole. Throws `maintenance_zone_unknown`, `maintenance_times`. */
function settle(input: MaintenanceInput): Settled {
  const timezone = checkZone(input.timezone ?? ownZone());
  const rule_ids = [...new Set(input.rule_ids ?? [])];
  const scope = input.scope ?? (rule_ids.length > 0 ? "rules" : "all");
  if (scope === "rules" && rule_ids.length === 0) {
    throw fail("maintenance_times", { field: "rule_ids", reason: "must name at least one rule when scope is rules" });
  }
  const settled: Settled = {
    name: input.name?.trim() ?? "Maintenance",
    start: toWallTime("start", input.start, timezone),
    end: toWallTime("end", input.end, timezone),
    timezone,
    repeat: input.repeat ?? "one-time",
    scope,
    rule_ids: JSON.stringify(scope === "all" ? [] : rule_ids),
  };
  checkSpan(settled);
  return settled;
}

/** Makes a window. Throws `maintenance_limit` and what the times deserve. */
export function createMaintenance(deps: Deps, { actor, ip }: By, input: MaintenanceInput): MaintenanceWindow {
  const { db, clock, ids, bus } = deps;
  const created_at = toIso(clock.now());
  const row = { id: ids.next("mnt"), ...settle(input), created_at, updated_at: created_at };
  db.tx(() => {
    if (store.listWindows(db).length >= MAX_WINDOWS) throw fail("maintenance_limit", { limit: MAX_WINDOWS });
    store.saveWindow(db, row);
    bus.emit("maintenance.created", { user_id: actor.user_id, window_id: row.id, name: row.name, ip });
  });
  return present(row, clock.now());
}

/** Changes the fields that are given. Throws `maintenance_not_found` and what the times deserve. */
export function changeMaintenance(
  deps: Deps,
  { actor, ip }: By,
  id: string,
  change: MaintenanceChange,
): MaintenanceWindow {
  const { db, clock, bus } = deps;
  return db.tx(() => {
    const known = store.findWindow(db, id);
    if (!known) throw fail("maintenance_not_found", { id });
    const { name, start, end, timezone, repeat } = known;
    const rules = change.scope === undefined && change.rule_ids === undefined ? { scope: known.scope } : {};
    const now = { name, start, end, timezone, repeat, rule_ids: readRuleIds(known), ...rules };
    const row = { ...known, ...settle({ ...now, ...change }), updated_at: toIso(clock.now()) };
    store.saveWindow(db, row);
    bus.emit("maintenance.changed", { user_id: actor.user_id, window_id: id, name: row.name, ip });
    return present(row, clock.now());
  });
}

/** Deletes a window; what it held back is told at once. Throws `maintenance_not_found`. */
export function deleteMaintenance({ db, bus }: Pick<Deps, "db" | "bus">, { actor, ip }: By, id: string): void {
  db.tx(() => {
    const row = store.deleteWindow(db, id);
    if (!row) throw fail("maintenance_not_found", { id });
    bus.emit("maintenance.deleted", { user_id: actor.user_id, window_id: id, name: row.name, ip });
  });
}

/** A question whether a rule's messages are held back at `now`; alerts without a rule are held by windows for all. */
export function createHold(db: Needs["db"], now: number): (ruleId: string | null) => boolean {
  const active = store.listWindows(db).filter((row) => isActive(row, now));
  const holdsAll = active.some(({ scope }) => scope === "all");
  const held = new Set(active.flatMap(readRuleIds));
  return (ruleId) => holdsAll || (ruleId !== null && held.has(ruleId));
}
