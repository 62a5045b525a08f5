import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { createSeal, type Seal } from "../../kernel/seal.ts";
import type { CommandOptions } from "../../kernel/service/cli.ts";
import type { Clock } from "../../lib/clock.ts";
import { systemClock } from "../../lib/clock.ts";
import { createIds, type Ids } from "../../lib/ids.ts";
import { openSystem, type SystemDb } from "../data/tenant-db.ts";
import { openData } from "../open-data.ts";
import { shownConfig } from "./load.ts";

/** A panel's data, opened beside the panel itself, running or not. */
export interface OpenedPanel {
  system: SystemDb;
  seal: Seal;
  clock: Clock;
  ids: Ids;
}

/** Opens a panel's data and closes it after `use`. Throws when there is none. */
export async function withPanelData<T>(options: CommandOptions, use: (panel: OpenedPanel) => Promise<T>): Promise<T> {
  const shown = shownConfig(options);
  const config = { ...shown, data_dir: resolve(shown.data_dir) };
  if (!existsSync(join(config.data_dir, "panel.key")))
    throw new Error(`there is no panel data in ${config.data_dir}; name the folder: --data DIR`);
  const { db, samplesDb, sealKey } = await openData(config, systemClock);
  try {
    const ids = createIds(systemClock.now);
    return await use({ system: openSystem(db), seal: createSeal(sealKey), clock: systemClock, ids });
  } finally {
    if (samplesDb !== db) await samplesDb.close();
    await db.close();
  }
}
