import type { Store } from "../../../kernel/db/store.ts";
import type { Log } from "../../../kernel/log.ts";
import type { Clock } from "../../../lib/clock.ts";
import { minutes } from "../../../lib/duration.ts";
import type { DiskUse, Runtime } from "../runtime/index.ts";
import { volumePrefix } from "./blueprint/names.ts";
import { listServices } from "./service-store.ts";

interface Deps {
  clock: Clock;
  log: Log;
  runtime: Pick<Runtime, "engine">;
}

const FRESH_MS = minutes(1);

/** What is known of the disk that apps use; measuring walks the disk, so nobody waits for it. */
export interface DiskUseCache {
  /** The latest figures, null before the first; begins a new measurement when they are old. */
  latest(): DiskUse | null;
}

/** A cache over the engine's own accounting. */
export function createDiskUseCache({ clock, log, runtime }: Deps): DiskUseCache {
  let figures: DiskUse | null = null;
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

/** Bytes of an app's volumes and of what its containers wrote outside them; null until they are measured. */
export function sumDiskBytes(db: Store, use: DiskUse | null, appId: string): number | null {
  if (use === null) return null;
  const { volumes, containers } = use;
  const own = [...volumes].filter(([name]) => name.startsWith(volumePrefix(appId))).map(([, bytes]) => bytes);
  // A sum that leaves one out would be too small.
  if (own.includes(null)) return null;
  const layers = listServices(db, appId).map(({ container_id }) => containers.get(container_id ?? "") ?? 0);
  return [...own, ...layers].reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0);
}
