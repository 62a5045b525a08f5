import { heapStats } from "bun:jsc";
import { expect, test } from "bun:test";
import { seeded } from "../../tests/kit/seeded.ts";
import { createPattern, PatternCostError, PatternError } from "./pattern.ts";

test.each([
  ["error|warn", "an ERROR here", true],
  ["^GET /api/\\w+ 5\\d\\d$", "get /api/users 503", true],
  ["^GET /api/\\w+ 5\\d\\d$", "get /api/users 503 ", false],
  ["\\btimeout\\b", "timeouts", false],
  ["[^\\s]{3,5}=\\d+", "took=12", true],
  ["took (?:[A-Z]+|\\d+ms)", "took 12ms", true],
  ["größe", "GRÖSSE Größe", true],
  ["a{2}b", "ab aab", true],
  ["", "", true],
])("%s in %s: %p", (source, text, isThere) => {
  expect(createPattern(source).test(text)).toBe(isThere);
});

test.each([
  ["(a", "not closed"],
  ["a)", "not opened"],
  ["[a", "not closed"],
  ["*a", "nothing to repeat"],
  ["a**", "repeats a repetition"],
  ["a{3,1}", "ends before it begins"],
  ["a{2000}", "at most 1000"],
  ["(?:a{900}){900}", "too large"],
  ["(a)\\1", "refers to a group"],
  ["a(?=b)", "looks ahead"],
  ["[z-a]", "ends before it begins"],
  ["\\p{L}", "\\p"],
  ["a\\", "backslash"],
])("%s is refused, with the reason", (source, reason) => {
  expect(() => createPattern(source)).toThrow(PatternError);
  expect(() => createPattern(source)).toThrow(reason);
});

test("what makes a backtracking matcher hang costs no more than its length", () => {
  const text = `${"a".repeat(4096)}!`;
  for (const source of ["(a+)+$", "(a|aa)+$", "(a|a)*b", "(.*)*x", "(?:a?){30}a{30}$", "^(([a-z])+.)+[A-Z]([a-z])+$"])
    expect(createPattern(source, 5_000_000).test(text)).toBe(false);
});

test("work is bounded over all texts together", () => {
  const pattern = createPattern("(?:a|b)*a(?:a|b){200}c", 1_000_000);
  let seed = 7;
  const next = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed;
  };
  const text = () => Array.from({ length: 4096 }, () => (next() & 65_536 ? "a" : "b")).join("");
  expect(() => {
    for (let round = 0; round < 1000; round += 1) pattern.test(text());
  }).toThrow(PatternCostError);
});

test("a hundred thousand patterns find what the runtime's own find, or are refused", () => {
  let seed = 1;
  const next = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  const PARTS = [
    ..."abA1 _.^$|()[]-*+?\\,",
    ...["a", "b", "(?:", "(", ")", "[^", "[a-c]", "\\b", "\\B", "\\d", "\\W", "\\s", "{2}", "{1,2}", "{0,}", "\\x41"],
  ];
  const SIGNS = "abcAB12 _-.\n";
  let compared = 0;
  for (let round = 0; round < 100_000; round += 1) {
    const source = Array.from({ length: 1 + next(8) }, () => PARTS[next(PARTS.length)]).join("");
    const text = Array.from({ length: next(9) }, () => SIGNS[next(SIGNS.length)]).join("");
    let mine: boolean;
    try {
      mine = createPattern(source).test(text);
    } catch (error) {
      if (error instanceof PatternError) continue;
      throw new Error(`${JSON.stringify(source)}: ${error}`);
    }
    compared += 1;
    if (new RegExp(source, "i").test(text) !== mine)
      throw new Error(`${JSON.stringify(source)} in ${JSON.stringify(text)}: ${mine}`);
  }
  expect(compared).toBeGreaterThan(20_000);
});

test.each(["((((){1000}){1000}){1000}){1000}", "(((()+){1000}){1000}){1000}"])("%p is refused at once", (source) => {
  expect(() => createPattern(source)).toThrow("too large");
});

test("what is remembered of a text stays bounded, however many states it leads to", () => {
  const pattern = createPattern("[ab].{40}x");
  const random = seeded(7);
  const line = () => Array.from({ length: 2000 }, () => (random() < 0.5 ? "a" : "c")).join("");
  pattern.test(line());
  Bun.gc(true);
  const before = heapStats().heapSize;
  for (let round = 0; round < 50; round += 1) pattern.test(line());
  Bun.gc(true);
  expect(heapStats().heapSize - before).toBeLessThan(30_000_000);
});
