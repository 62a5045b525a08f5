import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { closeDatabase, openDatabase } from "../../kernel/db/open.ts";
import { createStore } from "../../kernel/db/store.ts";
import { collectMeanings, collectSettings } from "../../kernel/feature.ts";
import { createLog } from "../../kernel/log.ts";
import { createSeal, loadSealKey } from "../../kernel/seal.ts";
import type { CommandOptions } from "../../kernel/service/cli.ts";
import type { DataAccess } from "../../kernel/service/data-access.ts";
import { installedEnv } from "../../kernel/service/env-file.ts";
import { createHost as createServiceHost } from "../../kernel/service/host.ts";
import { createSettings } from "../../kernel/settings.ts";
import { VERSION } from "../../kernel/version.ts";
import { systemClock, toIso } from "../../lib/clock.ts";
import { createIds } from "../../lib/ids.ts";
import { systemRandom } from "../../lib/random.ts";
import { nodeFeatures } from "../features.ts";
import { createHost } from "../machine/index.ts";
import type { OpenedData } from "../opened-data.ts";
import { nodeProgram } from "../program.ts";
import { configFrom, DATA_OPTION, ownEnv, shownConfig } from "./load.ts";

/** The folder that is named, else the one of the environment, of the installed service, or the default. */
export function folderOf(options: CommandOptions): string {
  const named = options.text("data") ?? ownEnv()["ORRERY_DATA"];
  const installed = () => installedEnv(createServiceHost(), nodeProgram)?.["ORRERY_DATA"];
  return resolve(named ?? installed() ?? configFrom(options).data_dir);
}

/** What commands have without a node. */
export const outside = {
  clock: systemClock,
  ids: createIds(systemClock.now),
  log: createLog(systemClock, "error", (line) => process.stderr.write(`${line}\n`)),
};

async function openNode<T>(options: CommandOptions, use: (opened: OpenedData) => Promise<T>): Promise<T> {
  const folder = folderOf(options);
  const path = join(folder, "main.db");
  if (!existsSync(path)) throw new Error(`there is no node data in ${folder}; name the folder: --data DIR`);
  const raw = openDatabase(path);
  const over = new AbortController();
  try {
    const db = createStore(raw);
    const seal = createSeal(loadSealKey(join(folder, "node.key"), false));
    return await use({
      db,
      seal,
      ...outside,
      random: systemRandom,
      version: VERSION,
      meanings: collectMeanings(nodeFeatures),
      settings: createSettings(db, seal, collectSettings(nodeFeatures), () => toIso(systemClock.now())),
      readHost() {
        const config = { ...shownConfig(options), data_dir: folder };
        return { config, host: createHost(systemClock, config.host_root, over.signal) };
      },
    });
  } finally {
    over.abort();
    closeDatabase(raw);
  }
}

/** The data of a node, for the commands of its features. */
export const nodeData: DataAccess<OpenedData> = { option: DATA_OPTION, open: openNode };
