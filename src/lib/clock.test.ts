import { expect, test } from "bun:test";
import { createFakeClock } from "../../tests/kit/fake-clock.ts";
import { systemClock, toIso } from "./clock.ts";

test("toIso is ISO 8601 UTC with milliseconds", () => {
  expect(toIso(0)).toBe("1970-01-01T00:00:00.000Z");
});

test("the real clock's sleep ends on abort, before and while it sleeps", async () => {
  await systemClock.sleep(60_000, AbortSignal.abort());
  const abort = new AbortController();
  const slept = systemClock.sleep(60_000, abort.signal);
  abort.abort();
  await slept;
});

test("the real clock runs timers once or again, and not after they were cancelled", async () => {
  const seen: string[] = [];
  await new Promise<void>((resolve) => {
    const cancelled = systemClock.after(1, () => seen.push("cancelled"));
    cancelled();
    systemClock.after(1, () => seen.push("once"));
    const stop = systemClock.every(1, () => {
      seen.push("again");
      if (seen.filter((item) => item === "again").length < 2) return;
      stop();
      resolve();
    });
  });
  expect(seen.toSorted()).toEqual(["again", "again", "once"]);
});

test("monotonic time does not step back", () => {
  const first = systemClock.monotonic();
  expect(systemClock.monotonic()).toBeGreaterThanOrEqual(first);
  expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(1_000);
});

test("a sleep longer than a 32-bit timer does not end at once", async () => {
  const abort = new AbortController();
  let ended = false;
  const slept = systemClock.sleep(2 ** 31 + 1_000, abort.signal).then(() => {
    ended = true;
  });
  await systemClock.sleep(5);
  expect(ended).toBe(false);
  abort.abort();
  await slept;
});

test("the fake clock runs due timers in order and its sleepers obey their signal", async () => {
  const clock = createFakeClock();
  const seen: string[] = [];
  clock.after(20, () => seen.push("b"));
  clock.after(10, () => seen.push("a"));
  const stop = clock.every(15, () => seen.push("tick"));
  const abort = new AbortController();
  const slept = clock.sleep(1_000, abort.signal).then(() => seen.push("woken"));
  await clock.advance(30);
  stop();
  abort.abort();
  await slept;
  await clock.advance(100);
  expect(seen).toEqual(["a", "tick", "b", "tick", "woken"]);
});
