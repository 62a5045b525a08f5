import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { closeDatabase, openDatabase } from "../../kernel/db/open.ts";
import { createStore } from "../../kernel/db/store.ts";
import { collectSettings } from "../../kernel/feature.ts";
import { createSeal, loadSealKey } from "../../kernel/seal.ts";
import type { CommandOptions } from "../../kernel/service/cli.ts";
import { hasTable } from "../../kernel/service/data-files.ts";
import { createSettings } from "../../kernel/settings.ts";
import { VERSION } from "../../kernel/version.ts";
import { systemClock, toIso } from "../../lib/clock.ts";
import { createIds } from "../../lib/ids.ts";
import { systemRandom } from "../../lib/random.ts";
import { nodeFeatures } from "../features.ts";
import { createHost } from "../machine/index.ts";
import { createEnrolment, type Enrolment } from "../panel-link/panel-link/index.ts";
import { createIdentity } from "../platform/identity/index.ts";
import { shownConfig } from "./load.ts";

/**
 * Opens a node's data beside the node itself, running or not, and closes it after `use`. Throws when there is no data, or it
 * is of a release that knew no panel.
 */
export async function withPanelData<T>(options: CommandOptions, use: (enrolment: Enrolment) => Promise<T>): Promise<T> {
  const shown = shownConfig(options);
  const config = { ...shown, data_dir: resolve(shown.data_dir) };
  const path = join(config.data_dir, "main.db");
  if (!existsSync(path)) throw new Error(`there is no node data in ${config.data_dir}; name the folder: --data DIR`);
  const raw = openDatabase(path);
  const over = new AbortController();
  try {
    if (!hasTable(raw, "panel_link"))
      throw new Error("the data is of an older release; start the node once, then repeat");
    const db = createStore(raw);
    const seal = createSeal(loadSealKey(join(config.data_dir, "node.key"), false));
    const host = createHost(systemClock, config.host_root, over.signal);
    const ids = createIds(systemClock.now);
    const settings = createSettings(db, seal, collectSettings(nodeFeatures), () => toIso(systemClock.now()));
    const enrolment = createEnrolment({
      db,
      seal,
      config,
      clock: systemClock,
      ids,
      random: systemRandom,
      version: VERSION,
      host,
      identity: createIdentity({ config, host, ids, settings }),
    });
    return await use(enrolment);
  } finally {
    over.abort();
    closeDatabase(raw);
  }
}
