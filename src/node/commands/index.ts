/** The commands of `orrery-node`. */
import type { Command } from "../../kernel/service/cli.ts";
import { serviceCommands } from "../../kernel/service/commands.ts";
import { programCommands } from "../../kernel/service/program-commands.ts";
import { nodeProgram } from "../program.ts";
import { serve } from "../serve.ts";
import { connectCommand, disconnectCommand } from "./connect.ts";
import { DATA_OPTION, loader, ownEnv } from "./load.ts";
import { resetPasswordCommand } from "./reset-password.ts";
import { routes } from "./routes.ts";

const common = programCommands(nodeProgram, loader, DATA_OPTION, serve);

export const nodeCommands: readonly Command[] = [
  common.serve,
  ...serviceCommands(nodeProgram, ownEnv),
  resetPasswordCommand,
  connectCommand,
  disconnectCommand,
  routes,
  common.config,
  common.version,
];
