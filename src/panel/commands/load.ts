import { loadConfig } from "../../kernel/config.ts";
import type { CommandOptions, OptionSpec } from "../../kernel/service/cli.ts";
import { installedEnv } from "../../kernel/service/env-file.ts";
import { createHost } from "../../kernel/service/host.ts";
import { type PanelConfig, panelConfigTable } from "../config.ts";
import { panelProgram } from "../program.ts";

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

/** As `configFrom`; where the service is installed, its settings stand in for what the environment does not say. */
export function shownConfig(options: CommandOptions): PanelConfig {
  const data = options.text("data");
  const installed = data === undefined ? installedEnv(createHost(), panelProgram) : null;
  return loadConfig(panelConfigTable, { ...installed, ...process.env }, data === undefined ? {} : { data_dir: data });
}

/** The part of the environment that is about us. */
export function ownEnv(): Record<string, string> {
  const pairs = Object.entries(process.env).filter(([key]) => key.startsWith("CP_"));
  return Object.fromEntries(pairs.map(([key, value]) => [key, value ?? ""]));
}
