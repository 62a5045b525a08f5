/** The commands of `orrery-panel`. */
import type { Command } from "../../kernel/service/cli.ts";
import { serviceCommands } from "../../kernel/service/commands.ts";
import { programCommands } from "../../kernel/service/program-commands.ts";
import { agentCommands } from "../agents/wire.ts";
import { peopleCommands } from "../people/wire.ts";
import { platformCommands } from "../platform/wire.ts";
import { panelProgram } from "../program.ts";
import { serve } from "../serve.ts";
import { DATA_OPTION, loader } from "./load.ts";
import { panelAlone, panelData } from "./panel-data.ts";
import { routes } from "./routes.ts";

const common = programCommands(panelProgram, loader, DATA_OPTION, serve);

export const panelCommands: readonly Command[] = [
  common.serve,
  ...serviceCommands(panelProgram, loader.ownEnv),
  routes,
  ...platformCommands(panelData),
  ...peopleCommands(panelData, panelAlone),
  ...agentCommands(panelData),
  common.config,
  common.version,
];
