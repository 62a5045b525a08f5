import type { ChannelRow } from "../channels/channel-store.ts";
import type { Needs } from "../needs.ts";
import { findQueuedBesides, listQueued, type OutboxRow } from "./outbox-store.ts";
import { MAX_NOTICES, MAX_REFUSALS } from "./retry.ts";

type Deps = Pick<Needs, "db">;

/**
 * What goes into a channel's next message, oldest first. Everything that waits, as a rule. A message that was refused goes
 * again notice by notice; when the first one is refused on and on, one about another event is tried in turn with it: if
 * that gets through, the first one is the cause, and if not, the receiver is.
 */
export function chooseNotices({ db }: Deps, { id, refusals }: Pick<ChannelRow, "id" | "refusals">): OutboxRow[] {
  if (refusals === 0) return listQueued(db, id, MAX_NOTICES);
  const [first] = listQueued(db, id, 1);
  if (!first) return [];
  const isOthersTurn = refusals >= MAX_REFUSALS && (refusals - MAX_REFUSALS) % 2 === 0;
  const other = isOthersTurn ? findQueuedBesides(db, id, first.event_id) : null;
  return [other ?? first];
}

/** The notice that was passed over when `rows` were chosen, because it is refused on and on; null when none was. */
export function passedOver(
  { db }: Deps,
  { id, refusals }: Pick<ChannelRow, "id" | "refusals">,
  rows: readonly OutboxRow[],
): OutboxRow | null {
  const [first] = refusals >= MAX_REFUSALS ? listQueued(db, id, 1) : [];
  return first && rows.every(({ seq, is_test }) => seq > first.seq && is_test === 0) ? first : null;
}
