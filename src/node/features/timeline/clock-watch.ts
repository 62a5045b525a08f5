import { seconds } from "../../../lib/duration.ts";
import type { NodeContext } from "../../context.ts";

/** Smaller steps are corrections of a good clock. */
const JUMP_MS = seconds(60);
const LOOK_MS = seconds(10);

/** Tells of every jump of the wall clock against real time, once, until the program stops. */
export function watchClock({ clock, bus, signal }: Pick<NodeContext, "clock" | "bus" | "signal">): void {
  let ahead = clock.now() - clock.monotonic();
  const stop = clock.every(LOOK_MS, () => {
    const now = clock.now() - clock.monotonic();
    const jump = now - ahead;
    ahead = now;
    if (Math.abs(jump) >= JUMP_MS) bus.emit("system.clock_jumped", { by_seconds: Math.round(jump / 1000) });
  });
  signal.addEventListener("abort", stop, { once: true });
}
