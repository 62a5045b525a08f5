/** The commands of `orrery-node`. */
import type { Command } from "../../kernel/service/cli.ts";
import { serviceCommands } from "../../kernel/service/commands.ts";
import { programCommands } from "../../kernel/service/program-commands.ts";
import { VERSION } from "../../kernel/version.ts";
import { toIso } from "../../lib/clock.ts";
import { backupsCommands } from "../backups/wire.ts";
import { hostCommands } from "../host/wire.ts";
import { migrateMain } from "../open-data.ts";
import { panelLinkCommands } from "../panel-link/wire.ts";
import { peopleCommands, returnedWays } from "../people/wire.ts";
import { nodeProgram } from "../program.ts";
import { serve } from "../serve.ts";
import { storageCommands } from "../storage/wire.ts";
import { DATA_OPTION, loader, ownEnv } from "./load.ts";
import { folderOf, nodeData, outside } from "./node-data.ts";
import { routes } from "./routes.ts";

const common = programCommands(nodeProgram, loader, DATA_OPTION, serve);

export const nodeCommands: readonly Command[] = [
  common.serve,
  ...serviceCommands(nodeProgram, ownEnv),
  ...peopleCommands(nodeData),
  ...panelLinkCommands(nodeData),
  ...backupsCommands({
    option: DATA_OPTION,
    folderOf,
    version: VERSION,
    clock: outside.clock,
    // No snapshot before it: the backup is one.
    migrate: (database) => migrateMain(database, toIso(outside.clock.now()), () => {}),
    ways: returnedWays(outside),
  }),
  ...hostCommands,
  ...storageCommands(nodeData),
  routes,
  common.config,
  common.version,
];
