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

/** What is known of the disk that apps use; measuring walks the disk, so only those wait for it who have to know. */
export interface DiskUseCache {
  /** The latest figures, null before the first; begins a new measurement when they are old. */
  latest(): DiskUse | null;
  /** Figures of a measurement that begins now; those before it, or null, where it fails. */
  measured(): Promise<DiskUse | null>;
}

/** A cache over the engine's own accounting. */
export function createDiskUseCache({ clock, log, runtime }: Deps): DiskUseCache {
  let figures: DiskUse | null = null;
  let measuredAt = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | null = null;

  async function measure(): Promise<void> {
    const engine = runtime.engine();
    if (!engine) return;
    try {
      figures = await engine.diskUse();
    } catch (error) {
      log.warn("disk use of apps could not be measured", { error });
    }
    measuredAt = clock.monotonic();
  }

  function begin(): Promise<void> {
    running ??= measure().finally(() => {
      running = null;
    });
    return running;
  }

  return {
    latest() {
      if (clock.monotonic() - measuredAt > FRESH_MS) void begin();
      return figures;
    },
    async measured() {
      // One that is under way may have passed already what has changed since.
      await running;
      await begin();
      return figures;
    },
  };
}

/** Bytes of an app's volumes and of what its containers wrote outside them; null until they are measured. */
export function sumDiskBytes(db: Store, use: DiskUse | null, appId: string): number | null {
  const volumes = sumVolumeBytes(use, appId);
  if (use === null || volumes === null) return null;
  const layers = listServices(db, appId).map(({ container_id }) => use.containers.get(container_id ?? "") ?? 0);
  return layers.reduce((sum, bytes) => sum + bytes, volumes);
}

/** Bytes of an app's volumes; null until they are measured. */
export function sumVolumeBytes(use: DiskUse | null, appId: string): number | null {
  if (use === null) return null;
  const own = [...use.volumes].filter(([name]) => name.startsWith(volumePrefix(appId))).map(([, bytes]) => bytes);
  // A sum that leaves one out would be too small.
  return own.includes(null) ? null : own.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0);
}
