import { expect, test } from "bun:test";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { createFakeClock } from "../../../tests/kit/fake-clock.ts";
import { runs } from "../../../tests/kit/runs.ts";
import type { Asker } from "../../lib/fair-queue.ts";
import { createHashQueue, FOR_PROGRAM, forAccount, forKnown, forVisitor } from "./hash-queue.ts";

const HASH_MS = 25;
const REFUSED = { code: "too_many_requests", headers: { "retry-after": "1" } };

/** A queue over a clock that stands, until a hash that is computed is said to be done. */
function createWorld() {
  const clock = createFakeClock();
  const queue = createHashQueue(clock, 1);
  const done: string[] = [];
  const running: (() => void)[] = [];
  const refused: { name: string; error: unknown }[] = [];
  const nameOf = ({ path }: Asker) => path.join(" ");
  function come(asker: Asker): void {
    const name = nameOf(asker);
    const compute = () => new Promise<void>((resolve) => running.push(resolve));
    queue(asker, compute).then(
      () => done.push(name),
      (error: unknown) => refused.push({ name, error }),
    );
  }
  /** Ends what is computed; false when nothing is. */
  async function next(): Promise<boolean> {
    await setImmediate();
    await clock.advance(HASH_MS);
    const end = running.shift();
    end?.();
    await setImmediate();
    return end !== undefined;
  }
  const of = (asker: Asker) => ({
    done: done.filter((name) => name === nameOf(asker)).length,
    refused: refused.filter(({ name }) => name === nameOf(asker)).length,
  });
  return { clock, come, next, done, refused, of };
}

/** Ever new networks of one customer, each of which asks five times. */
function manyNetworks(come: (asker: Asker) => void, site = "2001:db8:7") {
  let no = 0;
  return (networks: number) => {
    for (const end = no + networks; no < end; no++)
      for (let time = 0; time < 5; time++) come(forVisitor(`${site}:${no.toString(16)}::1`));
  };
}

const people = fc.array(
  fc.record({
    kind: fc.constantFrom("account", "known", "stranger"),
    no: fc.nat(5),
    count: fc.integer({ min: 1, max: 30 }),
  }),
  { minLength: 1, maxLength: 12 },
);
const newcomers = fc.constantFrom(
  forVisitor("192.0.2.1"),
  forVisitor("2001:db8:8::1"),
  forAccount("new", "10.0.0.1"),
  forKnown("new", "10.0.0.1"),
);

test("a newcomer waits for few hashes, however many accounts and networks ask without end", async () => {
  await fc.assert(
    fc.asyncProperty(people, newcomers, async (crowd, newcomer) => {
      const { come, next, done, of } = createWorld();
      const askAnew = manyNetworks(come);
      const flood = () => {
        for (const { kind, no, count } of crowd)
          for (let each = 0; each < count; each++) {
            if (kind === "account") come(forAccount(`acc${no}`, "2001:db8:7::1"));
            else if (kind === "known") come(forKnown(`acc${no}`, `2001:db8:7:${no}::1`));
            else come(forVisitor(`10.0.0.${no}`));
          }
        askAnew(20);
      };
      for (let round = 0; round < 20; round++) {
        flood();
        await next();
      }
      const before = done.length;
      come(newcomer);
      for (let round = 0; of(newcomer).done === 0 && round < 9; round++) {
        flood();
        await next();
      }
      expect(of(newcomer)).toEqual({ done: 1, refused: 0 });
      // The one that is computed, one of each other kind, and its own.
      expect(done.length - before).toBeLessThanOrEqual(4);
    }),
    { numRuns: runs(10) },
  );
});

test("of an account five wait, of a network or a known account twenty; more are to come again, and the program never is", async () => {
  for (const [asker, waiting] of [
    [forAccount("ada", "192.0.2.1"), 5],
    [forKnown("ada", "192.0.2.1"), 20],
    [forVisitor("2001:db8::1"), 20],
    [FOR_PROGRAM, 99],
  ] as const) {
    const { come, next, done, refused } = createWorld();
    come(asker);
    // That one is computed by now.
    await setImmediate();
    for (let count = 0; count < 99; count++) come(asker);
    while (await next());
    expect(done).toHaveLength(waiting + 1);
    expect(refused).toHaveLength(99 - waiting);
    for (const { error } of refused) expect(error).toMatchObject(REFUSED);
  }
});

test("one address of a network is as another, an account is one wherever it asks from, and what was computed makes room", async () => {
  for (const [askerOf, waiting] of [
    [(no: number) => forVisitor(`2001:db8::${no}`), 20],
    [(no: number) => forAccount("ada", `10.${no}.0.1`), 5],
  ] as const) {
    const { come, next, done, refused } = createWorld();
    for (let no = 0; no < 30; no++) come(askerOf(no));
    while (await next());
    for (let no = 0; no < 20; no++) come(askerOf(no));
    while (await next());
    expect([done.length, refused.length]).toEqual([2 * waiting, 50 - 2 * waiting]);
  }
});

test("where a thousand wait, the newest of who has most makes room for those who have less", async () => {
  const { come, refused, of } = createWorld();
  manyNetworks(come)(210);
  const known = forKnown("ada", "198.51.100.1");
  const account = forAccount("ada", "198.51.100.1");
  const visitor = forVisitor("198.51.100.1");
  await setImmediate();
  expect(refused).toHaveLength(50);
  for (const asker of [known, account, visitor]) for (let time = 0; time < 5; time++) come(asker);
  await setImmediate();
  for (const asker of [known, account, visitor]) expect(of(asker).refused).toBe(0);
  // One was computed by then.
  expect(refused).toHaveLength(64);
  for (const { name, error } of refused) {
    expect(name).toStartWith("strangers 2001:db8::/32 2001:db8:7::/48");
    expect(error).toMatchObject(REFUSED);
  }
});

test("networks that took nothing lately have their turn in the order in which they came, whichever was seen first", async () => {
  const { clock, come, next, done } = createWorld();
  const seen = Array.from({ length: 20 }, (_, no) => forVisitor(`10.${no}.0.1`));
  for (const asker of seen) come(asker);
  while (await next());
  await clock.advance(600_000);
  const late = [...seen, forVisitor("192.0.2.1")].toReversed();
  for (const asker of late) come(asker);
  while (await next());
  expect(done.slice(20)).toEqual(late.map(({ path }) => path.join(" ")));
});

test("what nobody listens for any more is not computed, and leaves its place", async () => {
  const { come, next, done, refused } = createWorld();
  come(FOR_PROGRAM);
  const left = new AbortController();
  for (let count = 0; count < 20; count++) come(forVisitor("192.0.2.1", left.signal));
  await setImmediate();
  left.abort();
  await setImmediate();
  expect(refused).toHaveLength(20);
  for (let count = 0; count < 20; count++) come(forVisitor("192.0.2.1", new AbortController().signal));
  come(forVisitor("192.0.2.2", left.signal));
  while (await next());
  expect([done.length, refused.length]).toEqual([21, 21]);
});

test("who waited for twenty seconds is to come again, and what is computed goes on", async () => {
  const { clock, come, next, done, refused } = createWorld();
  come(forVisitor("192.0.2.1"));
  await setImmediate();
  come(forVisitor("192.0.2.2"));
  come(FOR_PROGRAM);
  await clock.advance(19_999);
  expect(refused).toHaveLength(0);
  await clock.advance(1);
  expect(refused).toMatchObject([{ error: REFUSED }]);
  while (await next());
  expect(done).toHaveLength(2);
});
