import { hours, minutes, seconds } from "../../../lib/duration.ts";
import { nodeId } from "../../apps/apps/index.ts";
import type { EngineSession, Holder } from "../engine/index.ts";
import { causeOf, codeOf } from "./failures.ts";
import type { Own } from "./needs.ts";
import { openTarget } from "./targets.ts";

const POLL_MS = seconds(15);
/** Whoever writes longer than that is told of: meanwhile nothing else of the backups of this server goes on. */
const PATIENCE_MS = hours(1);

/** This node as a writer; it is the same after a crash, so that what a killed program left behind does not keep the next one waiting. */
export const ownHolder = ({ seal, identity }: Pick<Own, "seal" | "identity">): Holder => ({
  id: nodeId(seal),
  name: identity.name(),
});

/**
 * Gives a target back that was open for writing. One that takes longer than a minute has kept its lease: that ends by itself, and this
 * server may take it anew at once.
 */
export async function giveBack({ clock, log }: Pick<Own, "clock" | "log">, session: EngineSession): Promise<void> {
  const cancel = clock.after(minutes(1), () => session.end());
  await session
    .close()
    .catch((error: unknown) => log.warn("a target was left with its lease", { error }))
    .finally(cancel);
}

/**
 * Opens a target for writing. While another server writes to it this waits, and tells whom it waits for, in a sentence; an hour at most,
 * then it throws `busy`. Ends early when `signal` aborts.
 */
export async function openForWriting(
  own: Own,
  target: string,
  signal: AbortSignal,
  onWait: (text: string) => void,
): Promise<EngineSession> {
  const end = own.clock.monotonic() + PATIENCE_MS;
  let told = "";
  for (;;) {
    try {
      return await openTarget(own, target, ownHolder(own), "aside", signal);
    } catch (error) {
      if (codeOf(error) !== "busy" || own.clock.monotonic() >= end) throw error;
      if (told !== causeOf(error)) onWait(`Waits its turn: ${causeOf(error)}`);
      told = causeOf(error);
    }
    await own.clock.sleep(POLL_MS, AbortSignal.any([signal, own.signal]));
    signal.throwIfAborted();
    own.signal.throwIfAborted();
  }
}
