import { expect, test } from "bun:test";
import { diskRoom, parseMemoryRoom } from "./host-room.ts";

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
