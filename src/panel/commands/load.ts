import { loadConfig } from "../../kernel/config.ts";
import type { CommandOptions, OptionSpec } from "../../kernel/service/cli.ts";
import { type PanelConfig, panelConfigTable } from "../config.ts";

/** Options that several commands share. */
export const DATA_OPTION: Record<string, OptionSpec> = {
  data: { type: "string", value: "DIR", doc: "Folder for the database and keys" },
};

/** Configuration from the command line, then the environment, then the defaults. */
export function configFrom(options: CommandOptions): PanelConfig {
  const data = options.text("data");
  const listen = options.text("listen");
  return loadConfig(panelConfigTable, process.env, {
    ...(data === undefined ? {} : { data_dir: data }),
    ...(listen === undefined ? {} : { listen }),
  });
}
