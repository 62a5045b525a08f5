import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { join, resolve } from "node:path";
import { embedRoot } from "../../kernel/embed.ts";
import { createLog } from "../../kernel/log.ts";
import type { CommandOptions } from "../../kernel/service/cli.ts";
import type { DataAccess } from "../../kernel/service/data-access.ts";
import { lockFolder } from "../../kernel/service/folder-lock.ts";
import type { SqlDb } from "../../kernel/sql/port.ts";
import { VERSION } from "../../kernel/version.ts";
import { systemClock } from "../../lib/clock.ts";
import { createIds } from "../../lib/ids.ts";
import { createBase } from "../create-base.ts";
import { takeLease } from "../data/lease.ts";
import { type PanelEvents, panelFeatures } from "../features.ts";
import { openData } from "../open-data.ts";
import { type WiredPanel, wirePanel } from "../wire.ts";
import { DATA_OPTION, shownConfig } from "./load.ts";

/** Claims the folder as a panel does. Throws when one runs over it. */
function claim(folder: string): void {
  try {
    lockFolder(folder);
  } catch (error) {
    throw new Error(
      `the panel runs, and may not meanwhile: stop it first (${error instanceof Error ? error.message : error})`,
    );
  }
}

/**
 * Opens a panel's data, beside the panel itself, running or not, or `isAlone` where none runs, and closes it after `use`. What is given
 * is a panel of which nothing was started but the writing down of what happens. Throws when there is no data, and when a panel runs
 * that may not.
 */
async function openPanel<T>(
  options: CommandOptions,
  isAlone: boolean,
  use: (panel: WiredPanel) => Promise<T>,
): Promise<T> {
  const shown = shownConfig(options);
  const config = { ...shown, data_dir: resolve(shown.data_dir) };
  if (!existsSync(join(config.data_dir, "panel.key")))
    throw new Error(`there is no panel data in ${config.data_dir}; name the folder: --data DIR`);
  const [clock, ids] = [systemClock, createIds(systemClock.now)];
  const log = createLog(clock, "error", (line) => process.stderr.write(`${line}\n`));
  if (isAlone) claim(config.data_dir);
  const owner = `${hostname()}, process ${process.pid}`;
  const take = (db: SqlDb) => takeLease({ db, clock, log, owner, holder: ids.next("run") });
  const { db, samplesDb, sealKey, lease } = await openData(config, clock, isAlone ? take : undefined);
  try {
    const world = {
      ...{ config, db, samplesDb, sealKey, log, clock, ids },
      version: VERSION,
      embedRoot: embedRoot("panel"),
      signal: new AbortController().signal,
    };
    const panel = wirePanel(createBase<PanelEvents>(world, panelFeatures), world);
    for (const part of panel.parts) part.subscribe?.();
    return await use(panel);
  } finally {
    await lease.release();
    if (samplesDb !== db) await samplesDb.close();
    await db.close();
  }
}

/** The data of a panel, for the commands of its features. */
export const panelData: DataAccess<WiredPanel> = {
  option: DATA_OPTION,
  open: (options, use) => openPanel(options, false, use),
};

/** The same where no panel runs, and none begins meanwhile. */
export const panelAlone: DataAccess<WiredPanel> = {
  option: DATA_OPTION,
  open: (options, use) => openPanel(options, true, use),
};
