import "../kernel/http/release-mode.ts";
import { runPart } from "../kernel/host/own-process.ts";

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
const printError = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

// A reader that went away (`| head`, a restarted log daemon) must not take the node down with it.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

const words = process.argv.slice(2);
// A part is one process of many, which is to be small: it loads nothing of what the program is besides.
if (await runPart(words)) process.exit(0);
const { runCommand } = await import("../kernel/service/cli.ts");
const { nodeCommands } = await import("./commands/index.ts");
const { IDENTITY } = await import("./identity.ts");
process.exit(await runCommand(IDENTITY.name, nodeCommands, words, print, printError));
