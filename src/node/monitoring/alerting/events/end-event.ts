import { deleteState } from "../judge/state-store.ts";
import type { Own } from "../needs.ts";
import { type EventRow, updateEvent } from "./event-store.ts";

/** Why an event ended without its value getting better. */
export type Ending = "rule_changed" | "rule_disabled" | "rule_deleted" | "entity_stopped" | "entity_removed";

/** Ends an open event for another reason than recovery; who was told that it fires will be told that it is over. */
export function endEvent({ db }: Pick<Own, "db">, event: EventRow, resolution: Ending, now: number): void {
  updateEvent(db, { ...event, flapping: 0, resolved_at: Math.max(now, event.fired_at), resolution });
  deleteState(db, event);
}
