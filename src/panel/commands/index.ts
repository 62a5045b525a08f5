/** The commands of `orrery-panel`. */
import { describeConfig } from "../../kernel/config.ts";
import { type Command, EXIT } from "../../kernel/service/cli.ts";
import { serviceCommands } from "../../kernel/service/commands.ts";
import { describeRelease } from "../../kernel/service/release.ts";
import { VERSION } from "../../kernel/version.ts";
import { panelConfigTable } from "../config.ts";
import { panelProgram } from "../program.ts";
import { serve } from "../serve.ts";
import { caCommand } from "./ca.ts";
import { configFrom, DATA_OPTION, ownEnv, shownConfig } from "./load.ts";
import { routes } from "./routes.ts";
import { swarm } from "./swarm.ts";
import { planCommand, workspacesCommand } from "./workspaces.ts";

const serveCommand: Command = {
  name: "serve",
  summary: "Run the panel in the foreground until it is told to stop",
  options: {
    ...DATA_OPTION,
    listen: { type: "string", value: "HOST:PORT", doc: "Where to listen; port 0 takes a free one" },
  },
  async run(options, print) {
    await serve(configFrom(options), print);
    return EXIT.ok;
  },
};

const config: Command = {
  name: "config",
  summary: "Print every configuration key with its value, secrets hidden",
  options: DATA_OPTION,
  run(options, print) {
    for (const row of describeConfig(panelConfigTable, shownConfig(options))) {
      print(`${row.key} = ${row.value}  (${row.env}) ${row.doc}`);
    }
    return EXIT.ok;
  },
};

const version: Command = {
  name: "version",
  summary: "Print the version",
  options: { json: { type: "boolean", doc: "Print all that an upgrade needs to know about this release" } },
  run(options, print) {
    print(options.flag("json") ? JSON.stringify(describeRelease(panelProgram)) : VERSION);
    return EXIT.ok;
  },
};

export const panelCommands: readonly Command[] = [
  serveCommand,
  ...serviceCommands(panelProgram, ownEnv),
  routes,
  workspacesCommand,
  planCommand,
  caCommand,
  swarm,
  config,
  version,
];
