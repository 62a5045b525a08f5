import { expect, test } from "bun:test";
import fc from "fast-check";
import { diffLines, foldDiff } from "./line-diff.ts";

const shown = (before: string, after: string) =>
  diffLines(before, after).map(({ kind, text }) => `${{ same: " ", added: "+", removed: "-" }[kind]}${text}`);

test("lines that went and came stand where they belong", () => {
  expect(shown("a\nb\nc", "a\nx\nc")).toEqual([" a", "-b", "+x", " c"]);
  expect(shown("a\nb", "a\nb\nc")).toEqual([" a", " b", "+c"]);
  expect(shown("a\na\na", "a\na")).toEqual([" a", " a", "-a"]);
  expect(shown("", "a")).toEqual(["-", "+a"]);
  expect(shown("a\nb\nc\nd", "b\nx\nd\ne")).toEqual(["-a", " b", "-c", "+x", " d", "+e"]);
});

test("both texts can be read off again, and what is common stays", () => {
  const text = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 20 }).map((lines) => lines.join("\n"));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = diffLines(before, after);
      const without = (kind: string) => lines.filter((line) => line.kind !== kind).map((line) => line.text);
      expect(without("added").join("\n")).toBe(before);
      expect(without("removed").join("\n")).toBe(after);
      if (before === after) expect(lines.every(({ kind }) => kind === "same")).toBe(true);
    }),
  );
});

test("two long texts without a line in common are told at once", () => {
  const long = (word: string) => Array.from({ length: 4_000 }, (_, index) => `${word}${index}`).join("\n");
  expect(diffLines(long("a"), long("b"))).toHaveLength(8_000);
});

test("what did not change is left out but for a few lines", () => {
  const before = Array.from({ length: 20 }, (_, index) => `${index}`).join("\n");
  const folded = foldDiff(diffLines(before, before.replace("\n10\n", "\nx\n")));
  expect(folded.map((line) => line?.text ?? "…")).toEqual(["…", "8", "9", "10", "x", "11", "12", "…"]);
  expect(foldDiff(diffLines(before, before))).toEqual([null]);
});
