import { expect, test } from "bun:test";
import { createFakeClock } from "../../../../../tests/kit/fake-clock.ts";
import { createChannel } from "../../../../lib/channel.ts";
import type { FollowedLine } from "./followed.ts";
import { readOn } from "./reader.ts";

test("a place that cannot be noted is told once, is tried again, and holds up no line", async () => {
  const clock = createFakeClock();
  const stop = new AbortController();
  const written = createChannel<FollowedLine>(100, stop.signal);
  const taken: string[] = [];
  const broken: unknown[] = [];
  const unkept: unknown[] = [];
  let saves = 0;
  let isFull = true;
  const ended = readOn({
    clock,
    follow: () => written,
    place: {
      since: () => "",
      wasRead: () => false,
      note: () => {},
      async save() {
        saves += 1;
        if (isFull) throw new Error("no space left on device");
      },
    },
    take: async (lines) => void taken.push(...lines.map(({ text }) => text)),
    sync: async () => {},
    onBroken: (error) => void broken.push(error),
    onUnkept: (error) => void unkept.push(error),
    signal: stop.signal,
  });
  for (const text of ["one", "two", "three"]) {
    written.push({ from: "system", at: null, source: null, level: null, text });
    await clock.advance(1_000);
    await clock.advance(1_000);
  }
  expect([taken, unkept.length, broken]).toEqual([["one", "two", "three"], 1, []]);
  isFull = false;
  const before = saves;
  await clock.advance(3_000);
  // Once it could be noted there is nothing to note.
  expect(saves).toBe(before + 1);
  stop.abort();
  await clock.advance(5_000);
  await ended;
});
