import { cutText } from "../../../../lib/cut-text.ts";
import { hours } from "../../../../lib/duration.ts";
import type { Actor } from "../../../actor.ts";
import type { AlertChange } from "../contract.ts";
import type { Own } from "../needs.ts";
import { idOf } from "../watched/watched.ts";
import type { EventRow } from "./event-store.ts";

type About = Pick<EventRow, "entity" | "started_at" | "fired_at">;

const BEFORE_MS = hours(1);
/** Lines of a message. */
const TOLD = 4;
/** Characters of each of them: a name of 80 has room, a list of a hundred settings would crowd out the rest of the message. */
const MOST = 120;

function ask({ timeline }: Pick<Own, "timeline">, event: About, actor: Pick<Actor, "role" | "user_id"> | null) {
  const kind = event.entity.split(":", 1)[0] ?? "";
  const span = { since: event.started_at - BEFORE_MS, until: event.fired_at };
  return timeline.listChanges({ kind, id: idOf(event.entity), ...span }, actor);
}

/** What was done to the thing or its server from an hour before it went bad until it fired, as far as `actor` may know. */
export function changesBefore(
  deps: Pick<Own, "timeline">,
  event: About,
  actor: Pick<Actor, "role" | "user_id">,
): AlertChange[] {
  return ask(deps, event, actor).map(({ at, title, link }) => ({ at, title, link }));
}

/** The same in words for a message, without what must not leave the server. */
export function describeChanges(deps: Pick<Own, "timeline">, event: About): string {
  const found = ask(deps, event, null);
  if (found.length === 0) return "Nothing was changed in the hour before.";
  const told = found.slice(0, TOLD).map(({ at, outside }) => `${cutText(outside, MOST)} (${at.slice(11, 16)} UTC)`);
  const more = found.length > TOLD ? ` and ${found.length - TOLD} more` : "";
  return `In the hour before: ${told.join("; ")}${more}.`;
}
