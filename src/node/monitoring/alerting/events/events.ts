import { toIso } from "../../../../lib/clock.ts";
import { seconds } from "../../../../lib/duration.ts";
import type { Actor } from "../../../actor.ts";
import { type AlertEvent, type AlertEventDetail, type EventQuery, fail, type SilenceInput } from "../contract.ts";
import { silence } from "../judge/state-store.ts";
import type { Own } from "../needs.ts";
import { readChannels, readSpan } from "../rules/rule-input.ts";
import { tellUnit } from "../watched/watched.ts";
import { changesBefore } from "./changes-before.ts";
import * as store from "./event-store.ts";
import { durationOf } from "./tell.ts";

type Deps = Pick<Own, "db" | "clock" | "bus">;

const PAGE = 50;
const MAX_SILENCE_MS = 366 * 86_400_000;

const isoOrNull = (ms: number | null): string | null => (ms === null ? null : toIso(ms));

function present(row: store.EventWithQuiet, now: number): AlertEvent {
  const silenced = row.silenced_until !== null && row.silenced_until > now && row.resolved_at === null;
  return {
    id: row.id,
    state: row.resolved_at === null ? "firing" : "resolved",
    type: row.type,
    rule_id: row.rule_id,
    rule_name: row.rule_name,
    severity: row.severity,
    entity: row.entity,
    entity_name: row.entity_name,
    metric: row.metric,
    value: row.value,
    threshold: row.threshold,
    unit: tellUnit(row.unit),
    message: row.message,
    started_at: toIso(row.started_at),
    fired_at: toIso(row.fired_at),
    resolved_at: isoOrNull(row.resolved_at),
    resolution: row.resolution,
    peak: row.peak,
    duration_seconds: durationOf(row, now),
    flapping: row.flapping !== 0,
    suppressed: row.suppressed !== 0,
    notified_at: isoOrNull(row.fire_told_at),
    reminders: row.reminders,
    acknowledged_at: isoOrNull(row.acknowledged_at),
    acknowledged_by: row.acknowledged_by,
    silenced_until: silenced ? isoOrNull(row.silenced_until) : null,
    channel_ids: readChannels(row.channel_ids),
  };
}

/** Milliseconds of a time that a caller wrote. Throws `alert_rule_invalid`. */
function readTime(field: string, text: string): number {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw fail("alert_rule_invalid", { field, reason: "is not a time such as 2026-03-29T02:30Z" });
  return ms;
}

function getEvent(db: Deps["db"], id: string): store.EventWithQuiet {
  const row = store.findEvent(db, id);
  if (!row) throw fail("alert_event_not_found", { id });
  return row;
}

/** Events that pass the filters, newest first. Throws `alert_event_cursor_unknown`, `alert_rule_invalid`. */
export function listAlertEvents({ db, clock }: Pick<Deps, "db" | "clock">, query: EventQuery): AlertEvent[] {
  const { cursor, from, to, limit, ...rest } = query;
  if (cursor !== undefined && !store.findEvent(db, cursor)) throw fail("alert_event_cursor_unknown", { cursor });
  const filters = {
    ...rest,
    before: cursor ?? null,
    from: from === undefined ? null : readTime("from", from),
    to: to === undefined ? null : readTime("to", to),
  };
  return store.listEvents(db, filters, limit ?? PAGE).map((row) => present(row, clock.now()));
}

/** One event. Throws `alert_event_not_found`. */
function readOne({ db, clock }: Pick<Deps, "db" | "clock">, id: string): AlertEvent {
  return present(getEvent(db, id), clock.now());
}

/** One event with what was done before it, as far as the actor may know. Throws `alert_event_not_found`. */
export function readAlertEvent(
  deps: Pick<Own, "db" | "clock" | "timeline">,
  actor: Pick<Actor, "role" | "user_id">,
  id: string,
): AlertEventDetail {
  const row = getEvent(deps.db, id);
  return { ...present(row, deps.clock.now()), changes: changesBefore(deps, row, actor) };
}

/** Notes that somebody takes care, which ends reminders. Throws `alert_event_not_found`, `alert_event_over`. */
export function acknowledgeEvent(deps: Deps, userId: string, id: string): AlertEvent {
  const { db, clock, bus } = deps;
  db.tx(() => {
    const row = getEvent(db, id);
    if (row.resolved_at !== null) throw fail("alert_event_over", { action: "acknowledge" });
    if (row.acknowledged_at !== null) return;
    store.updateEvent(db, { ...row, acknowledged_at: clock.now(), acknowledged_by: userId });
    bus.emit("alert.acknowledged", { event_id: id, user_id: userId });
  });
  return readOne(deps, id);
}

/**
 * Keeps the rule of an event quiet about its entity until then; that it is over is told all the same. Throws
 * `alert_event_not_found`, `alert_event_over`, `alert_rule_invalid`.
 */
export function silenceEvent(deps: Deps, id: string, input: SilenceInput): AlertEvent {
  const { db, clock } = deps;
  const now = clock.now();
  db.tx(() => {
    const row = getEvent(db, id);
    if (row.resolved_at !== null) throw fail("alert_event_over", { action: "silence" });
    const after = input.for === undefined ? null : now + seconds(readSpan("for", input.for));
    const until = typeof input.until === "string" ? readTime("until", input.until) : after;
    if (until !== null && (until <= now || until - now > MAX_SILENCE_MS)) {
      throw fail("alert_rule_invalid", { field: "until", reason: "must be in the future, within a year" });
    }
    silence(db, row, until);
  });
  return readOne(deps, id);
}
