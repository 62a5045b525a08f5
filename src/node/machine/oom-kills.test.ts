import { expect, test } from "bun:test";
import { parseOomKills, readOomKills } from "./oom-kills.ts";

test("the kernel's counter of processes that it killed", () => {
  expect(parseOomKills("nr_free_pages 1\noom_kill 7\nx 2\n")).toBe(7);
  expect(parseOomKills("nothing")).toBe(0);
  expect(readOomKills("/nonexistent")).toBe(0);
});
