import { byPanel } from "../../event-meaning.ts";
import type { Needs } from "./needs.ts";
import { forgetPauses, listUntoldPauses, notePause } from "./store.ts";

const AT_ONCE = 100;

/** Tells once of each channel that is paused, and again when it was at work in between. */
export async function tellPauses({ system, clock, bus }: Needs, signal: AbortSignal): Promise<void> {
  await forgetPauses(system);
  for (const { tenant_id, id, name } of await listUntoldPauses(system, AT_ONCE)) {
    if (signal.aborted) return;
    await system.tx(async (tx) => {
      if (!(await notePause(tx, tenant_id, id, clock.now()))) return;
      await bus.emit(tx, "chat_channel.pause", { by: byPanel(tenant_id), channel_id: id, name });
    });
  }
}
