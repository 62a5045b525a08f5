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
  ["begin.{0,200}end", "begin of what has an end", true],
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
  ["a{3,1}", "end before they begin"],
  ["a{2000}", "more than 1000"],
  ["(?:a{900}){900}", "more than 1000"],
  ["(?:a{30}){33}(?:b{30}){33}c{50}", "too large"],
  ["a[ab]{900}c", "too large"],
  ["(a)\\1", "reference to a group"],
  ["a(?=b)", "looks ahead"],
  ["[z-a]", "ends before it begins"],
  ["\\p{Klingon}", "that nobody knows"],
  ["a\\", "ends with a backslash"],
])("%s is refused, with the reason", (source, reason) => {
  expect(() => createPattern(source)).toThrow(PatternError);
  expect(() => createPattern(source)).toThrow(reason);
});

test.each(["(a+)+$", "(a|aa)+$", "(a|a)*b", "(.*)*x", "(?:a?){30}a{30}$", "^(([a-z])+.)+[A-Z]([a-z])+$"])(
  "%s, which makes a backtracking matcher hang, is over in a moment",
  (source) => expect(createPattern(source).test(`${"a".repeat(4096)}!`)).toBe(false),
);

test("the time of all texts together is bounded, and what follows lines as they come gets more with each hour", () => {
  let at = 0;
  const clock = () => at++;
  const pattern = createPattern("x", clock);
  const tryOnce = () => pattern.test("y");
  expect(() => {
    for (let round = 0; round < 20_000; round += 1) tryOnce();
  }).toThrow(PatternCostError);
  at += 3_600_000;
  for (let round = 0; round < 20_000; round += 1) expect(tryOnce()).toBe(false);
});

test("the part that is meant is named as it was written", () => {
  expect(() => createPattern("x(a")).toThrow(/^has a group that is not closed: x\(a$/);
  expect(() => createPattern("x(a)\\1")).toThrow(/: \\1$/);
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
  for (let round = 0; round < 20; round += 1) pattern.test(line());
  Bun.gc(true);
  expect(heapStats().heapSize - before).toBeLessThan(30_000_000);
});
