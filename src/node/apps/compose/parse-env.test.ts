import { expect, test } from "bun:test";
import { parseEnv } from "./parse-env.ts";

test.each<[string, string, Record<string, string>]>([
  ["plain", "A=1\nB = two words \n", { A: "1", B: "two words" }],
  ["with the ends of lines of Windows, and a mark of its bytes", "\uFEFFA=1\r\nB=2\r\n", { A: "1", B: "2" }],
  ["empty", "A=\nB=''\nC=\"\"", { A: "", B: "", C: "" }],
  ["exported, indented", "  export A=1\n\texport\tB=2", { A: "1", B: "2" }],
  ["with a colon", "A: 1\nB: 'x'", { A: "1", B: "x" }],
  ["comments", "# a\nA=1 # b\nB=1#2\nC='x # y' # z\nD=\"x # y\" # z", { A: "1", B: "1#2", C: "x # y", D: "x # y" }],
  ["equals signs", "A=b=c\nB=https://a.example/?q=1", { A: "b=c", B: "https://a.example/?q=1" }],
  ["over lines", "A=\"one\ntwo\"\nB='three\n#four'\nC=5", { A: "one\ntwo", B: "three\n#four", C: "5" }],
  [
    "escapes",
    `${String.raw`A="a\"b\\c\nd\te\$f"`}\n${String.raw`B='a\nb'`}\n${String.raw`C=a\nb`}`,
    {
      A: 'a"b\\c\nd\te$f',
      B: "a\\nb",
      C: "a\\nb",
    },
  ],
  ["variables", `A=1\nB=\${A}2\nC="$B-\${D:-4}"\nE='$A'\nF=$$A`, { A: "1", B: "12", C: "12-4", E: "$A", F: "$A" }],
  ["the last of a name", "A=1\nA=2", { A: "2" }],
])("a .env is read as Compose reads it: %s", (_, text, variables) => {
  expect(parseEnv(text)).toEqual({ variables, problems: [] });
});

test.each<[string, string, number, string]>([
  ["a variable without a value", `A=1\n\nB=\${C}`, 3, "C has no value"],
  ["a lone dollar sign", "A='x\ny'\nB=pa$", 3, "a single $"],
  ["text behind a quote", "A='x'y", 1, "the quote"],
  ["a quote that stays open, behind others", 'A="x\ny"\nB="z', 3, "the quote"],
  ["a name with a space", "A B=1", 1, "no variable"],
])("what is wrong in a .env is told with its line: %s", (_, text, line, words) => {
  expect(parseEnv(text).problems).toMatchObject([{ file: ".env", line, message: expect.stringContaining(words) }]);
});

test("lines that name the one before twice do not fill the memory", () => {
  const lines = Array.from({ length: 40 }, (_, at) =>
    at === 0 ? "A0=xxxxxxxxxx" : `A${at}=\${A${at - 1}}\${A${at - 1}}`,
  );
  const { variables, problems } = parseEnv(lines.join("\n"));
  expect(Object.values(variables).every(({ length }) => length <= 131_072)).toBe(true);
  expect(problems[0]).toMatchObject({ key: "A14", message: expect.stringContaining("longer than") });
});
