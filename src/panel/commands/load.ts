import type { OptionSpec } from "../../kernel/service/cli.ts";
import { createConfigLoader } from "../../kernel/service/program-commands.ts";
import { panelConfigTable } from "../config.ts";
import { panelProgram } from "../program.ts";

/** Options that several commands share. */
export const DATA_OPTION: Record<string, OptionSpec> = {
  data: { type: "string", value: "DIR", doc: "Folder for the database and keys" },
};

export const loader = createConfigLoader(panelProgram, panelConfigTable, process.env, "CP_");

export const { shownConfig } = loader;
