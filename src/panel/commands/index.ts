/** The commands of `orrery-panel`. */
import type { Command } from "../../kernel/service/cli.ts";
import { serviceCommands } from "../../kernel/service/commands.ts";
import { programCommands } from "../../kernel/service/program-commands.ts";
import { panelProgram } from "../program.ts";
import { serve } from "../serve.ts";
import { caCommand } from "./ca.ts";
import { DATA_OPTION, loader } from "./load.ts";
import { routes } from "./routes.ts";
import { swarm } from "./swarm.ts";
import { planCommand, workspacesCommand } from "./workspaces.ts";

const common = programCommands(panelProgram, loader, DATA_OPTION, serve);

export const panelCommands: readonly Command[] = [
  common.serve,
  ...serviceCommands(panelProgram, loader.ownEnv),
  routes,
  workspacesCommand,
  planCommand,
  caCommand,
  swarm,
  common.config,
  common.version,
];
