import { expect, test } from "bun:test";
import { parseSet } from "./set-grammar.ts";

const problemOf = (set: string) => {
  const parsed = parseSet(set);
  return "problem" in parsed ? parsed.problem : null;
};

test("a set is a list of what is turned on, what goes and which options", () => {
  expect(parseSet("smart, -vpn,tuning=zram,-tuning=preload")).toEqual({
    words: [
      { text: "smart", id: "smart", option: null, on: true },
      { text: "-vpn", id: "vpn", option: null, on: false },
      { text: "tuning=zram", id: "tuning", option: "zram", on: true },
      { text: "-tuning=preload", id: "tuning", option: "preload", on: false },
    ],
  });
});

test("what is wrong is named: which word, why, and what would be right", () => {
  expect(problemOf("")?.reason).toContain("empty word");
  expect(problemOf("smart,")).toMatchObject({ word: "", reason: expect.stringContaining("empty word") });
  expect(problemOf("smart vpn")).toMatchObject({ word: "smart vpn", reason: "has a space in it" });
  expect(problemOf("smart,--vpn")).toMatchObject({ word: "--vpn", reason: "begins with more than one -" });
  expect(problemOf("tuning=")).toMatchObject({ word: "tuning=", reason: "names no option behind the =" });
  expect(problemOf("Smart")).toMatchObject({ word: "Smart", expected: "Write it as smart." });
  expect(problemOf("a=b=c")?.expected).toContain("tuning=zram");
  expect(problemOf("sm/art")?.reason).toBe("is not written as a component");
  expect(problemOf("x".repeat(3000))?.word).toHaveLength(60);
  expect(problemOf(Array.from({ length: 60 }, (_, index) => `c${index}`).join(","))?.expected).toBe(
    "Send it in parts.",
  );
});

test("the same thing twice and its opposite are refused, different options are not", () => {
  expect(problemOf("smart,vpn,smart")).toMatchObject({ word: "smart", reason: "stands in the set twice" });
  expect(problemOf("smart,-smart")).toMatchObject({ word: "-smart", reason: expect.stringContaining("contradicts") });
  expect(problemOf("-tuning,tuning=zram")?.reason).toContain("contradicts");
  expect(problemOf("tuning,tuning=zram")?.reason).toContain("is part of");
  expect(problemOf("tuning=zram,-tuning=earlyoom")).toBeNull();
});

test("a hundred thousand damaged sets are read or refused with a word, and what is read can be written again", () => {
  const pieces = [
    "smart",
    "-",
    "=",
    ",",
    " ",
    "zram",
    "vpn",
    "tuning",
    "\n",
    "é",
    "\0",
    "A",
    "9",
    "--",
    "𝒳",
    "x".repeat(50),
  ];
  let state = 12_345;
  const next = (limit: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % limit;
  };
  let read = 0;
  for (let turn = 0; turn < 100_000; turn++) {
    let set = "";
    for (let left = next(8); left >= 0; left--) set += pieces[next(pieces.length)];
    const parsed = parseSet(set);
    if ("problem" in parsed) {
      if (parsed.problem.reason === "" || parsed.problem.expected === "") throw new Error(`no reason for ${set}`);
      continue;
    }
    read += 1;
    const again = parseSet(parsed.words.map(({ text }) => text).join(","));
    if (JSON.stringify(again) !== JSON.stringify(parsed)) throw new Error(`${set} reads differently the second time`);
  }
  expect(read).toBeGreaterThan(1000);
});
