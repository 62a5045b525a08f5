import { toIso } from "../../../../lib/clock.ts";
import { seconds } from "../../../../lib/duration.ts";
import type { NoticeKind } from "../../alert-channels/contract.ts";
import type { AlertNotice } from "../contract.ts";
import { inSlices, type Pause } from "../judge/slices.ts";
import { type Key, noteFireTold } from "../judge/state-store.ts";
import type { Own } from "../needs.ts";
import { readChannels } from "../rules/rule-input.ts";
import { tellUnit } from "../watched/watched.ts";
import { describeEnd } from "../words.ts";
import { describeChanges } from "./changes-before.ts";
import { dueNotice } from "./due-notice.ts";
import {
  type EventRow,
  type EventWithQuiet,
  findEvent,
  listOpen,
  listOwed,
  listToTell,
  updateEvent,
} from "./event-store.ts";

export type TellDeps = Pick<
  Own,
  "db" | "clock" | "host" | "bus" | "ids" | "meanings" | "lists" | "watched" | "maintenance" | "channels" | "timeline"
>;

/** How long an episode has lasted, in whole seconds. */
export function durationOf(event: Pick<EventRow, "started_at" | "resolved_at">, now: number): number {
  return Math.max(0, Math.round(((event.resolved_at ?? now) - event.started_at) / 1000));
}

/** An event as channels, webhooks and the bus take it. */
export function toNotice(deps: Pick<Own, "watched">, event: EventRow, now: number): AlertNotice {
  return {
    event_id: event.id,
    type: event.type,
    rule_id: event.rule_id,
    rule_name: event.rule_name,
    severity: event.severity,
    entity: event.entity,
    entity_name: event.entity_name,
    metric: event.metric,
    value: event.value,
    threshold: event.threshold,
    unit: tellUnit(event.unit),
    message: [event.message, describeEnd(deps, event)].filter((part) => part !== "").join(" "),
    started_at: toIso(event.started_at),
    resolved_at: event.resolved_at === null ? null : toIso(event.resolved_at),
    peak: event.peak,
    duration_seconds: durationOf(event, now),
  };
}

/** The message that is due about an event, or null. */
function dueOf(event: EventWithQuiet, held: boolean, now: number): NoticeKind | null {
  return dueNotice(
    {
      ...event,
      flapping: event.flapping !== 0,
      acknowledged: event.acknowledged_at !== null,
      cooldown_ms: seconds(event.cooldown_s),
      repeat_ms: seconds(event.repeat_s),
      held,
    },
    now,
  );
}

function tellOne(deps: TellDeps, event: EventWithQuiet, held: boolean, now: number): void {
  const kind = dueOf(event, held, now);
  if (kind === null) return;
  const { db, bus, channels } = deps;
  const isFirst = event.fire_told_at === null;
  const changes = isFirst ? { changes: describeChanges(deps, event) } : {};
  const notice = { ...toNotice(deps, event, now), ...changes };
  channels.enqueue({ kind, notice, channel_ids: readChannels(event.channel_ids) });
  updateEvent(db, {
    ...event,
    told_at: now,
    fire_told_at: event.fire_told_at ?? now,
    flap_told_at: kind === "flapping" ? now : event.flap_told_at,
    resolve_told_at: kind === "resolved" ? now : event.resolve_told_at,
    reminders: event.reminders + (kind === "reminder" ? 1 : 0),
  });
  if (kind === "resolved") bus.emit("alert.resolved", notice);
  else if (isFirst) {
    noteFireTold(db, event, now);
    bus.emit("alert.fired", notice);
  }
}

/** Tells what is due about some events at `now`; queued in the transaction that notes it, so that a crash repeats nothing. */
function tellEvents(deps: TellDeps, eventIds: readonly string[], now: number): void {
  const { db, maintenance } = deps;
  if (eventIds.length === 0) return;
  db.tx(() => {
    const holds = maintenance.createHold(now);
    for (const id of eventIds) {
      const event = findEvent(db, id);
      if (event) tellOne(deps, event, holds(event.rule_id), now);
    }
  });
}

/** Tells what is due about a rule or an entity at once, in the transaction that made it due. */
export function tellAbout(deps: TellDeps, what: Partial<Key>, now: number): void {
  tellEvents(deps, listToTell(deps.db, what), now);
}

/** Tells of everything that is due, what is over first, letting others have their turn in between. */
export async function tellAllDue(deps: TellDeps, pause: Pause): Promise<void> {
  const { db, clock, maintenance } = deps;
  for (const list of [listOwed, listOpen]) {
    let page = list(db, "");
    while (page.length > 0) {
      const now = clock.now();
      const holds = maintenance.createHold(now);
      const due = page.filter((event) => dueOf(event, holds(event.rule_id), now) !== null).map(({ id }) => id);
      // The slice reads them again: what was told or acknowledged meanwhile is not due any more.
      await inSlices(deps, due, pause, (slice) => tellEvents(deps, slice, clock.now()));
      const last = page.at(-1)?.id;
      page = last === undefined || page.length < 500 ? [] : list(db, last);
      if (page.length > 0) await pause();
    }
  }
}
