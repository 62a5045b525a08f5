import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { embedRoot } from "../../kernel/embed.ts";
import { createLog } from "../../kernel/log.ts";
import type { CommandOptions } from "../../kernel/service/cli.ts";
import type { DataAccess } from "../../kernel/service/data-access.ts";
import { VERSION } from "../../kernel/version.ts";
import { systemClock } from "../../lib/clock.ts";
import { createIds } from "../../lib/ids.ts";
import { createBase } from "../create-base.ts";
import { type PanelEvents, panelFeatures } from "../features.ts";
import { openData } from "../open-data.ts";
import { type WiredPanel, wirePanel } from "../wire.ts";
import { DATA_OPTION, shownConfig } from "./load.ts";

/**
 * Opens a panel's data, beside the panel itself, running or not, and closes it after `use`. What is given is a panel of which
 * nothing was started but the writing down of what happens. Throws when there is no data.
 */
async function openPanel<T>(options: CommandOptions, use: (panel: WiredPanel) => Promise<T>): Promise<T> {
  const shown = shownConfig(options);
  const config = { ...shown, data_dir: resolve(shown.data_dir) };
  if (!existsSync(join(config.data_dir, "panel.key")))
    throw new Error(`there is no panel data in ${config.data_dir}; name the folder: --data DIR`);
  const { db, samplesDb, sealKey } = await openData(config, systemClock);
  try {
    const world = {
      ...{ config, db, samplesDb, sealKey },
      version: VERSION,
      embedRoot: embedRoot("panel"),
      log: createLog(systemClock, "error", (line) => process.stderr.write(`${line}\n`)),
      clock: systemClock,
      ids: createIds(systemClock.now),
      signal: new AbortController().signal,
    };
    const panel = wirePanel(createBase<PanelEvents>(world, panelFeatures), world);
    for (const part of panel.parts) part.subscribe?.();
    return await use(panel);
  } finally {
    if (samplesDb !== db) await samplesDb.close();
    await db.close();
  }
}

/** The data of a panel, for the commands of its features. */
export const panelData: DataAccess<WiredPanel> = { option: DATA_OPTION, open: openPanel };
