import "../kernel/http/release-mode.ts";
import { runCommand } from "../kernel/service/cli.ts";
import { panelCommands } from "./commands/index.ts";

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
const printError = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

// A reader that went away (`| head`, a restarted log daemon) must not take the panel down with it.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

process.exit(await runCommand("orrery-panel", panelCommands, process.argv.slice(2), print, printError));
