import { expect, test } from "bun:test";
import { parseRawEnv } from "./parse-raw-env.ts";

const lookup = (name: string) => (name === "HOST" ? "db1" : null);

test.each<[string, string, Record<string, string>]>([
  ["quotes stay", `A="one"\nB='two'\nC="open`, { A: '"one"', B: "'two'", C: '"open' }],
  ["nothing is looked up or escaped", "A=$HOST $(HOST) $$ \\n", { A: "$HOST $(HOST) $$ \\n" }],
  [
    "spaces around a value stay, as does what looks like a comment",
    "A= one # two \n  B=3",
    { A: " one # two ", B: "3" },
  ],
  [
    "comments, empty lines, a mark of its bytes, ends of lines of Windows",
    "\uFEFFA=1\r\n\r\n # no\r\nB=\r\n",
    { A: "1", B: "" },
  ],
  ["a name alone is of the project", "HOST\nNOWHERE", { HOST: "db1" }],
  ["names of any kind, the last of each", "a.b-c=1\nexport=x=y\na.b-c=2", { "a.b-c": "2", export: "x=y" }],
])("a raw file is read as Docker reads it: %s", (_, text, variables) => {
  expect(parseRawEnv(text, "raw.env", lookup)).toEqual({ variables, problems: [] });
});

test.each<[string, string, number, number]>([
  ["a space before the equals sign", "A=1\n  B =2", 2, 3],
  ["export, which is a word of shells", "export A=1", 1, 1],
  ["no name", "\n=1", 2, 1],
])("a raw file is refused for %s", (_, text, line, column) => {
  const { problems } = parseRawEnv(text, "raw.env", lookup);
  expect(problems).toMatchObject([{ file: "raw.env", line, column, message: "this line is no variable" }]);
});
