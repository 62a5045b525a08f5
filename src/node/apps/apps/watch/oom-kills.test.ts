import { expect, test } from "bun:test";
import { createOomJudge } from "./oom-kills.ts";

test("a death is put down to memory only when the kernel counted a kill and nobody asked for one", () => {
  let count = 7;
  const judge = createOomJudge(() => count);
  expect(judge.isOom(137, false)).toBe(false);
  count = 8;
  expect(judge.isOom(137, false)).toBe(true);
  expect(judge.isOom(137, false)).toBe(false);
  count = 9;
  expect(judge.isOom(137, true)).toBe(false);
  count = 10;
  expect(judge.isOom(3, false)).toBe(false);
});
