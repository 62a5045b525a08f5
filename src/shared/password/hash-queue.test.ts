import { expect, test } from "bun:test";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { runs } from "../../../tests/kit/runs.ts";
import type { Whose } from "../../lib/fair-turns.ts";
import { createHashQueue, FOR_PROGRAM, forAccount, forVisitor } from "./hash-queue.ts";

const HASH_MS = 25;

/** A queue over a clock that stands, until a hash that is computed is said to be done. */
function createWorld() {
  let now = 1_000;
  const queue = createHashQueue({ monotonic: () => now }, 1);
  const done: string[] = [];
  const running: (() => void)[] = [];
  const refused: unknown[] = [];
  function come(whose: Whose): void {
    const compute = () => new Promise<void>((resolve) => running.push(resolve));
    queue(whose, compute).then(
      () => done.push(whose.join(" ")),
      (error: unknown) => refused.push(error),
    );
  }
  /** Ends what is computed; false when nothing is. */
  async function next(): Promise<boolean> {
    await setImmediate();
    now += HASH_MS;
    const end = running.shift();
    end?.();
    await setImmediate();
    return end !== undefined;
  }
  return { come, next, done, refused };
}

const people = fc.array(
  fc.record({ isSignedIn: fc.boolean(), no: fc.nat(5), count: fc.integer({ min: 1, max: 30 }) }),
  {
    minLength: 1,
    maxLength: 12,
  },
);

test("a newcomer waits for few hashes, however many accounts and networks ask without end", async () => {
  await fc.assert(
    fc.asyncProperty(people, fc.boolean(), async (crowd, isStranger) => {
      const { come, next, done } = createWorld();
      const flood = () => {
        for (const { isSignedIn, no, count } of crowd)
          for (let each = 0; each < count; each++)
            come(isSignedIn ? forAccount(`acc${no}`) : forVisitor(`10.0.0.${no}`));
      };
      for (let round = 0; round < 40; round++) {
        flood();
        await next();
      }
      const newcomer = isStranger ? forVisitor("192.0.2.1") : forAccount("new");
      const before = done.length;
      come(newcomer);
      while (!done.includes(newcomer.join(" "))) {
        flood();
        await next();
      }
      // The one that is computed, one of the other kind, and its own.
      expect(done.length - before).toBeLessThanOrEqual(3);
    }),
    { numRuns: runs(20) },
  );
});

test("of an account five wait and of a network twenty; more are to come again, and the program never is", async () => {
  for (const [whose, waiting] of [
    [forAccount("ada"), 5],
    [forVisitor("2001:db8::1"), 20],
    [FOR_PROGRAM, 99],
  ] as const) {
    const { come, next, done, refused } = createWorld();
    come(whose);
    // That one is computed by now.
    await setImmediate();
    for (let count = 0; count < 99; count++) come(whose);
    while (await next());
    expect(done).toHaveLength(waiting + 1);
    expect(refused).toHaveLength(99 - waiting);
    for (const error of refused)
      expect(error).toMatchObject({ code: "too_many_requests", headers: { "retry-after": "1" } });
  }
});

test("one address of a network is as another, and what was computed makes room", async () => {
  const { come, next, done, refused } = createWorld();
  for (let no = 0; no < 30; no++) come(forVisitor(`2001:db8::${no}`));
  while (await next());
  for (let no = 0; no < 20; no++) come(forVisitor(`2001:db8::${no}`));
  while (await next());
  expect([done.length, refused.length]).toEqual([40, 10]);
});

test("a thousand wait in all", async () => {
  const { come, next, refused } = createWorld();
  for (let no = 0; no < 1_010; no++) come(forAccount(`acc${no}`));
  while (await next());
  expect(refused).toHaveLength(10);
});
