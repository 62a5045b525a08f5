import { expect, test } from "bun:test";
import { diskRoom, parseMemoryRoom } from "./host-room.ts";
import { createOomJudge, parseOomKills } from "./oom-kills.ts";

test("memory is what could be used, not what is idle", () => {
  const text = "MemTotal:       24684096 kB\nMemFree:         1000000 kB\nMemAvailable:   20000000 kB\nBuffers: 1 kB\n";
  expect(parseMemoryRoom(text)).toEqual({ free: 20_480_000_000, total: 25_276_514_304 });
  expect(parseMemoryRoom("nothing")).toBeNull();
});

test("disk space comes from the first folder that can be looked at", () => {
  const room = diskRoom(["/nowhere/at/all", "/"]);
  expect(room?.total).toBeGreaterThan(room?.free ?? 0);
  expect(diskRoom(["/nowhere/at/all"])).toBeNull();
});

test("a death is put down to memory only when the kernel counted a kill and nobody asked for one", () => {
  expect(parseOomKills("nr_free_pages 1\noom_kill 7\nx 2\n")).toBe(7);
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
