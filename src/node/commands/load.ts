import type { OptionSpec } from "../../kernel/service/cli.ts";
import { createConfigLoader } from "../../kernel/service/program-commands.ts";
import { nodeConfigTable } from "../config.ts";
import { nodeProgram } from "../program.ts";

/** Options that several commands share. */
export const DATA_OPTION: Record<string, OptionSpec> = {
  data: { type: "string", value: "DIR", doc: "Folder for databases, keys and app data" },
};

export const loader = createConfigLoader(nodeProgram, nodeConfigTable, process.env, "ORRERY_");

export const { configFrom, shownConfig, ownEnv } = loader;
