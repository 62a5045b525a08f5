import { parseArgs } from "node:util";
import { ConfigError } from "../config.ts";
import { AppError } from "../http/errors.ts";
import { failureWords } from "./failure-words.ts";

/** Exit codes of both programs. */
export const EXIT = { ok: 0, failed: 1, usage: 2, config: 3, unhealthy: 4 } as const;

export interface OptionSpec {
  type: "string" | "boolean";
  /** Placeholder of a string option in the help. */
  value?: string;
  doc: string;
}

/** One word of the command line. */
export interface Command {
  name: string;
  summary: string;
  options?: Record<string, OptionSpec>;
  /** One word that stands without a name, such as TARGET; read by `text` of that. */
  argument?: string;
  /** Returns the exit code; a thrown Error prints its message and exits 1, a UsageError or an AppError of status 400 2, a ConfigError 3. */
  run(options: CommandOptions, print: (line: string) => void): number | Promise<number>;
}

/** What a command throws when its options do not say enough; exits 2 like an option that is not known. */
export class UsageError extends Error {}

/** Parsed options with types by kind. */
export interface CommandOptions {
  text(name: string): string | undefined;
  flag(name: string): boolean;
}

/** Runs `argv` (without program name) against the table and returns the exit code. */
export async function runCommand(
  program: string,
  commands: readonly Command[],
  argv: readonly string[],
  print: (line: string) => void,
  printError: (line: string) => void,
): Promise<number> {
  const [name = "help", ...rest] = argv;
  if (name === "help" || name === "--help" || name === "-h") {
    print(describeCommands(program, commands));
    return EXIT.ok;
  }
  const word = name === "--version" || name === "-v" ? "version" : name;
  const command = commands.find((candidate) => candidate.name === word);
  if (!command) {
    printError(`${program}: there is no command ${name}. Try: ${program} help`);
    return EXIT.usage;
  }
  if (rest.includes("--help") || rest.includes("-h")) {
    print(describeCommands(program, [command]));
    return EXIT.ok;
  }
  const options = readOptions(command, rest);
  const refuse = (reason: string) => {
    printError(`${program} ${name}: ${reason}. Try: ${program} help`);
    return EXIT.usage;
  };
  if (typeof options === "string") return refuse(options);
  try {
    return await command.run(options, print);
  } catch (error) {
    if (error instanceof UsageError) return refuse(error.message);
    printError(`${program} ${name}: ${failureWords(error)}`);
    if (error instanceof ConfigError) return EXIT.config;
    // What was typed is at fault, as it would be in a request.
    return error instanceof AppError && error.status === 400 ? EXIT.usage : EXIT.failed;
  }
}

function readOptions(command: Command, argv: string[]): CommandOptions | string {
  const options = Object.fromEntries(Object.entries(command.options ?? {}).map(([name, { type }]) => [name, { type }]));
  try {
    const { argument } = command;
    const allowPositionals = argument !== undefined;
    const { values, positionals } = parseArgs({ args: argv, options, strict: true, allowPositionals });
    if (positionals.length > 1) return `${positionals[1]} is one word too many`;
    const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
    return {
      text: (name) => textOf(name === argument ? positionals[0] : values[name]),
      flag: (name) => values[name] === true,
    };
  } catch (error) {
    return error instanceof Error ? error.message : "the options are not understood";
  }
}

function describeCommands(program: string, commands: readonly Command[]): string {
  const lines = commands.flatMap(({ name, argument, summary, options }) => [
    `  ${(argument === undefined ? name : `${name} ${argument}`).padEnd(16)} ${summary}`,
    ...Object.entries(options ?? {}).map(([option, { value, doc }]) => {
      const flag = value ? `--${option} ${value}` : `--${option}`;
      return `      ${flag.padEnd(24)} ${doc}`;
    }),
  ]);
  return [
    `${program} COMMAND [OPTIONS]`,
    "",
    ...lines,
    "",
    "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 wrong configuration, 4 unhealthy",
  ].join("\n");
}
