import type { EngineEvent, RuntimeWatcher } from "../runtime/index.ts";
import type { Own } from "./needs.ts";

/** A Compose project that comes up is dozens of events: whoever looks is told once. */
const GATHER_MS = 250;
/** What changes nothing that is shown: `die` follows each of these. */
const UNSEEN = ["kill", "oom", "stop"];

/** Tells whoever looks at containers that something changed. */
export function watchContainers({ bus, clock }: Pick<Own, "bus" | "clock">): RuntimeWatcher {
  let isTold = false;
  function tell(): void {
    if (isTold) return;
    isTold = true;
    clock.after(GATHER_MS, () => {
      isTold = false;
      bus.emit("containers.changed", {});
    });
  }
  return {
    connected: tell,
    event: ({ action }: EngineEvent) => {
      if (!UNSEEN.includes(action)) tell();
    },
    disconnected: tell,
  };
}
