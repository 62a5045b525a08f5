import "../kernel/http/release-mode.ts";
import { runCommand } from "../kernel/service/cli.ts";
import { nodeCommands } from "./commands/index.ts";
import { IDENTITY } from "./identity.ts";

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
const printError = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

// A reader that went away (`| head`, a restarted log daemon) must not take the node down with it.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

process.exit(await runCommand(IDENTITY.name, nodeCommands, process.argv.slice(2), print, printError));
