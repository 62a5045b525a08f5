import { type Config, type ConfigTable, describeConfig, loadConfig } from "../config.ts";
import { type Command, type CommandOptions, EXIT, type OptionSpec } from "./cli.ts";
import { installedEnv } from "./env-file.ts";
import { createHost } from "./host.ts";
import type { ProgramSpec } from "./program.ts";
import { describeRelease } from "./release.ts";
import { RELEASE_ENV } from "./release-base.ts";

/** How the commands of one program learn its configuration. */
export interface ConfigLoader<Table extends ConfigTable> {
  table: Table;
  /** From the command line, then the environment, then the defaults. Throws ConfigError. */
  configFrom(options: CommandOptions): Config<Table>;
  /** As `configFrom`; where the service is installed, its settings stand in for what the environment does not say. */
  shownConfig(options: CommandOptions): Config<Table>;
  /** The part of the environment that is about the program: variables that begin with `prefix`, and where releases are. */
  ownEnv(): Record<string, string>;
}

/** Keys that the command line can set, by the names they have in both programs. */
interface OwnKeys extends ConfigTable {
  data_dir: ConfigTable[string];
  listen: ConfigTable[string];
}

/** The loader of a program whose variables in `env` begin with `prefix`. */
export function createConfigLoader<Table extends OwnKeys>(
  spec: ProgramSpec,
  table: Table,
  env: Record<string, string | undefined>,
  prefix: string,
): ConfigLoader<Table> {
  const given = (options: CommandOptions, names: Record<string, string>): Partial<Record<keyof Table, string>> => {
    const told = Object.entries(names).map(([key, option]) => [key, options.text(option)] as const);
    return Object.fromEntries(told.filter(([, value]) => value !== undefined)) as Partial<Record<keyof Table, string>>;
  };
  return {
    table,
    configFrom: (options) => loadConfig(table, env, given(options, { data_dir: "data", listen: "listen" })),
    shownConfig(options) {
      const overrides = given(options, { data_dir: "data" });
      const installed = options.text("data") === undefined ? installedEnv(createHost(), spec) : null;
      return loadConfig(table, { ...installed, ...env }, overrides);
    },
    ownEnv() {
      const shared: readonly string[] = Object.values(RELEASE_ENV);
      const pairs = Object.entries(env).filter(([key]) => key.startsWith(prefix) || shared.includes(key));
      return Object.fromEntries(pairs.map(([key, value]) => [key, value ?? ""]));
    },
  };
}

/** `serve`, `config` and `version` of a program. `dataOption` is the option that names its data folder. */
export function programCommands<Table extends ConfigTable>(
  spec: ProgramSpec,
  { table, configFrom, shownConfig }: ConfigLoader<Table>,
  dataOption: Record<string, OptionSpec>,
  serve: (config: Config<Table>, print: (line: string) => void) => Promise<void>,
): { serve: Command; config: Command; version: Command } {
  return {
    serve: {
      name: "serve",
      summary: `Run the ${spec.short} in the foreground until it is told to stop`,
      options: {
        ...dataOption,
        listen: { type: "string", value: "HOST:PORT", doc: "Where to listen; port 0 takes a free one" },
      },
      async run(options, print) {
        await serve(configFrom(options), print);
        return EXIT.ok;
      },
    },
    config: {
      name: "config",
      summary: "Print every configuration key with its value, secrets hidden",
      options: dataOption,
      run(options, print) {
        for (const row of describeConfig(table, shownConfig(options)))
          print(`${row.key} = ${row.value}  (${row.env}) ${row.doc}`);
        return EXIT.ok;
      },
    },
    version: {
      name: "version",
      summary: "Print the version",
      options: { json: { type: "boolean", doc: "Print all that an upgrade needs to know about this release" } },
      run(options, print) {
        print(options.flag("json") ? JSON.stringify(describeRelease(spec)) : spec.version);
        return EXIT.ok;
      },
    },
  };
}
