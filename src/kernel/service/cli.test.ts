import { expect, test } from "bun:test";
import { ConfigError } from "../config.ts";
import { type Command, EXIT, runCommand, UsageError } from "./cli.ts";

const greet: Command = {
  name: "greet",
  summary: "Say hello",
  options: {
    name: { type: "string", value: "NAME", doc: "Whom" },
    loud: { type: "boolean", doc: "Louder" },
  },
  run(options, print) {
    const text = `hello ${options.text("name") ?? "you"}`;
    print(options.flag("loud") ? text.toUpperCase() : text);
    return EXIT.ok;
  },
};

const version: Command = {
  name: "version",
  summary: "Print the version",
  run(_options, print) {
    print("1.2.3");
    return EXIT.ok;
  },
};

const fail = (name: string, error: unknown): Command => ({
  name,
  summary: "Fails",
  run() {
    throw error;
  },
});

const commands: Command[] = [
  greet,
  version,
  { name: "sick", summary: "Unhealthy", run: () => Promise.resolve(EXIT.unhealthy) },
  fail("broken", new Error("the reason")),
  fail("odd", "just text"),
  fail("full", Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" })),
  fail("vague", new UsageError("say which: --name NAME")),
  fail("unset", new ConfigError("T_LISTEN: must look like 127.0.0.1:8420")),
];

async function run(...argv: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runCommand(
    "prog",
    commands,
    argv,
    (line) => void out.push(line),
    (line) => void err.push(line),
  );
  return { code, out: out.join("\n"), err: err.join("\n") };
}

test.each<[string[], number, string, string]>([
  [["greet"], 0, "hello you", ""],
  [["greet", "--name", "Ada", "--loud"], 0, "HELLO ADA", ""],
  [["greet", "--name=Ada"], 0, "hello Ada", ""],
  [["sick"], 4, "", ""],
  [["broken"], 1, "", "prog broken: the reason"],
  [
    ["full"],
    1,
    "",
    "prog full: The disk with its data is full. Free some space; where it runs as a service, it starts by itself then.",
  ],
  [["odd"], 1, "", "prog odd: just text"],
  [["vague"], 2, "", "prog vague: say which: --name NAME. Try: prog help"],
  [["unset"], 3, "", "prog unset: T_LISTEN: must look like 127.0.0.1:8420"],
])("%p exits %d", async (argv, code, out, err) => {
  expect(await run(...argv)).toEqual({ code, out, err });
});

test.each([[["nothing"]], [["greet", "--nothing"]], [["greet", "extra"]], [["greet", "--name"]], [["--loud"]]])(
  "%p is wrong usage: exit 2, one line on stderr that names the help",
  async (argv) => {
    const { code, out, err } = await run(...argv);
    expect([code, out]).toEqual([EXIT.usage, ""]);
    expect(err).toEndWith("Try: prog help");
  },
);

test.each([[[]], [["help"]], [["--help"]], [["-h"]]])("%p prints every command with its options", async (argv) => {
  const { code, out, err } = await run(...argv);
  expect([code, err]).toEqual([EXIT.ok, ""]);
  for (const part of ["prog COMMAND", "greet", "Say hello", "--name NAME", "Whom", "--loud", "sick", "Exit codes:"]) {
    expect(out).toContain(part);
  }
});

test.each(["version", "--version", "-v"])("%s is the command version", async (word) => {
  expect(await run(word)).toEqual({ code: EXIT.ok, out: "1.2.3", err: "" });
});

test.each(["--help", "-h"])("%s after a command prints that command and runs nothing", async (flag) => {
  const { code, out } = await run("broken", flag);
  expect(code).toBe(EXIT.ok);
  expect(out).toContain("broken");
  expect(out).not.toContain("greet");
});
