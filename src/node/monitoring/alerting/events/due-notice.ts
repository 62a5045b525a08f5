import type { NoticeKind } from "../../alert-channels/contract.ts";

/** What decides whether somebody has to be told about an event now. Times are ms UTC, null never. */
export interface Telling {
  resolved_at: number | null;
  flapping: boolean;
  /** When its fire was told, and the last thing of any kind. */
  fire_told_at: number | null;
  told_at: number | null;
  flap_told_at: number | null;
  resolve_told_at: number | null;
  acknowledged: boolean;
  /** When a fire of the same rule and entity was told last. */
  last_fire_told_at: number | null;
  cooldown_ms: number;
  /** 0 sends no reminders. */
  repeat_ms: number;
  silenced_until: number | null;
  /** A maintenance window is on. */
  held: boolean;
}

/** True while less than `span` passed since `from`; a `from` in the future is from a wrong clock and does not count. */
const isWithin = (now: number, from: number | null, span: number): boolean =>
  from !== null && now >= from && now - from < span;

/**
 * The one message that is due about an event, or null. A fire waits for the end of maintenance, silence and cooldown, and
 * is dropped when the event ends before; a resolve is due exactly when its fire was told, and waits for maintenance only.
 */
export function dueNotice(event: Telling, now: number): NoticeKind | null {
  if (event.held) return null;
  if (event.resolved_at !== null) {
    return event.fire_told_at !== null && event.resolve_told_at === null ? "resolved" : null;
  }
  if (event.silenced_until !== null && now < event.silenced_until) return null;
  if (event.fire_told_at === null) {
    if (isWithin(now, event.last_fire_told_at, event.cooldown_ms)) return null;
    return event.flapping ? "flapping" : "fired";
  }
  if (event.flapping) return event.flap_told_at === null ? "flapping" : null;
  const isDue = event.repeat_ms > 0 && !isWithin(now, event.told_at, event.repeat_ms);
  return isDue && !event.acknowledged ? "reminder" : null;
}
