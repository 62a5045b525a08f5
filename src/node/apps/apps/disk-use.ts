import { minutes } from "../../../lib/duration.ts";
import type { NodeContext } from "../../context.ts";
import type { DiskUse } from "../runtime/index.ts";

const FRESH_MS = minutes(1);

/** What is known of the disk that apps use; measuring walks the disk, so nobody waits for it. */
export interface DiskUseCache {
  /** The latest figures, possibly empty; begins a new measurement when they are old. */
  latest(): DiskUse;
}

/** A cache over the engine's own accounting. */
export function createDiskUseCache({
  clock,
  log,
  runtime,
}: Pick<NodeContext, "clock" | "log" | "runtime">): DiskUseCache {
  let figures: DiskUse = { volumes: new Map(), containers: new Map() };
  let measuredAt = Number.NEGATIVE_INFINITY;
  let isMeasuring = false;

  async function measure(): Promise<void> {
    const engine = runtime.engine();
    if (!engine) return;
    isMeasuring = true;
    try {
      figures = await engine.diskUse();
    } catch (error) {
      log.warn("disk use of apps could not be measured", { error });
    }
    measuredAt = clock.monotonic();
    isMeasuring = false;
  }

  return {
    latest() {
      if (!isMeasuring && clock.monotonic() - measuredAt > FRESH_MS) void measure();
      return figures;
    },
  };
}
