import type { PanelBase, PanelTx } from "../../base.ts";
import type { PanelEvent } from "../../event-meaning.ts";
import type { Acts } from "./acts.ts";
import { insertEntry } from "./store.ts";

/** Writes down what an event means to the log, if anything, in the transaction of what it tells of. */
export async function recordEvent(
  { meanings, clock, ids, acts }: Pick<PanelBase, "meanings" | "clock" | "ids"> & { acts: Acts },
  tx: PanelTx,
  action: string,
  event: PanelEvent,
): Promise<void> {
  const line = meanings.get(action)?.audit?.(event);
  if (!line) return;
  acts.note(event.by);
  await insertEntry(tx, { id: ids.next("aud"), at: clock.now(), ...event.by, action, ...line });
}
