import { expect, test } from "bun:test";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { createFakeClock } from "../../../tests/kit/fake-clock.ts";
import { runs } from "../../../tests/kit/runs.ts";
import { CommitUnknown } from "./port.ts";
import { createOrder } from "./postgres-order.ts";

/** Transactions that commit, and are answered, when they are told to. */
function world() {
  const clock = createFakeClock();
  const inOrder = createOrder(clock);
  const told: string[] = [];
  const begin = (name: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begins } = Promise.withResolvers<(ask: () => Promise<boolean>) => void>();
    const done = inOrder((committing) => {
      begins((ask) => committing(ask));
      return promise;
    }).then(
      () => void told.push(name),
      (error) => {
        if (!(error instanceof CommitUnknown)) return void told.push(`${name} failed`);
        told.push(`${name} unknown`);
        void error.outcome.then((isCommitted) => told.push(`${name} ${isCommitted ? "after all" : "was undone"}`));
      },
    );
    const commit = async (ask?: () => Promise<boolean>) =>
      (await begun)(ask ?? (() => Promise.reject(new Error("away"))));
    return { commit, answer: resolve, fail: reject, done };
  };
  /** Moves time on, and lets all that this begins come to its end. */
  const pass = async (ms: number) => {
    for (const step of [0, ms]) {
      await clock.advance(step);
      for (let turns = 0; turns < 4; turns++) await setImmediate();
    }
  };
  return { clock, told, begin, pass };
}

test("whoever committed later is told later, whatever answer comes first", async () => {
  const { told, begin } = world();
  const [third, first, second] = [begin("third"), begin("first"), begin("second")];
  for (const one of [first, second, third]) await one.commit();
  for (const one of [third, second]) one.answer();
  await setImmediate();
  expect(told).toEqual([]);
  first.answer();
  await Promise.all([first.done, second.done, third.done]);
  expect(told).toEqual(["first", "second", "third"]);
});

test("nobody waits for one that did not commit yet, or failed; one that was undone commits anew", async () => {
  const { told, begin } = world();
  const [slow, failed, undone, last] = [begin("slow"), begin("failed"), begin("undone"), begin("last")];
  for (const one of [undone, failed, last, undone]) await one.commit();
  undone.answer();
  await setImmediate();
  expect(told).toEqual([]);
  failed.fail(new Error("the connection is gone"));
  last.answer();
  await Promise.all([undone.done, last.done]);
  expect(told).toEqual(["failed failed", "last", "undone"]);
  slow.answer();
  await slow.done;
});

test("one that is late is asked about: whoever waits goes on where it is open still, and it is told first where it was carried out", async () => {
  const { told, begin, pass } = world();
  let state = "open";
  let asked = 0;
  const [late, next, other, last] = [begin("late"), begin("next"), begin("other"), begin("last")];
  await late.commit(async () => {
    asked += 1;
    if (state === "carried out") late.answer();
    return state === "open";
  });
  await next.commit();
  next.answer();
  await pass(999);
  expect([told, asked]).toEqual([[], 0]);
  await pass(1);
  await next.done;
  expect([told, asked]).toEqual([["next"], 1]);
  // Known to be late, it is asked about at once.
  await other.commit();
  other.answer();
  await other.done;
  state = "carried out";
  await last.commit();
  last.answer();
  await last.done;
  expect([told, asked]).toEqual([["next", "other", "late", "last"], 3]);
});

test("while nobody can be asked nobody overtakes, and whoever waits hears after six seconds that it is unknown", async () => {
  const { told, begin, pass } = world();
  const [lost, next, last] = [begin("lost"), begin("next"), begin("last")];
  for (const one of [lost, next]) await one.commit();
  next.answer();
  await pass(5_999);
  expect(told).toEqual([]);
  await pass(1);
  expect(told).toEqual(["next unknown"]);
  await last.commit();
  last.answer();
  await pass(3_000);
  lost.answer();
  await last.done;
  expect(told).toEqual(["next unknown", "lost", "next after all", "last"]);
});

test("one whose own outcome is unknown is told when it is known, before those that came later", async () => {
  const { told, begin, pass } = world();
  const [first, second, third] = [begin("first"), begin("second"), begin("third")];
  const [one, two] = [Promise.withResolvers<boolean>(), Promise.withResolvers<boolean>()];
  for (const each of [first, second, third]) await each.commit();
  first.fail(new CommitUnknown(new Error("away"), one.promise));
  second.fail(new CommitUnknown(new Error("away"), two.promise));
  third.answer();
  await pass(500);
  expect(told).toEqual(["first unknown", "second unknown"]);
  two.resolve(true);
  await pass(100);
  expect(told).toHaveLength(2);
  one.resolve(false);
  await third.done;
  expect(told.slice(2)).toEqual(["first was undone", "second after all", "third"]);
});

test("a commit that is said to come after its connection was lost holds nobody", async () => {
  const { told, begin, pass } = world();
  const [gone, next] = [begin("gone"), begin("next")];
  gone.fail(new Error("the connection is gone"));
  await gone.done;
  await gone.commit();
  await next.commit();
  next.answer();
  await pass(0);
  expect(told).toEqual(["gone failed", "next"]);
});

test("whatever is late, lost or cannot be asked: what was carried out before a commit was sent is told before it", async () => {
  const ms = fc.integer({ min: 0, max: 4_000 });
  const never = 60_000;
  const one = fc.record({
    row: fc.integer({ min: 0, max: 2 }),
    start: ms,
    execution: fc.oneof(fc.constant(1), ms),
    answer: fc.oneof(fc.constant(1), ms, fc.constant(never)),
    isUndone: fc.boolean(),
  });
  const away = fc.record({ from: ms, ms: fc.integer({ min: 0, max: 12_000 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(one, { minLength: 2, maxLength: 7 }), away, async (plans, outage) => {
      const { clock, told, begin, pass } = world();
      const isAway = () => clock.monotonic() >= outage.from && clock.monotonic() < outage.from + outage.ms;
      const sent = new Map<string, number>();
      const carriedOut = new Map<string, number>();
      const sleep = (of: number) => clock.sleep(of);
      /** A row is had by one at a time, until its transaction is over on the server. */
      const rows = new Map<number, Promise<unknown>>();
      const all = plans.map(async ({ row, start, execution, answer, isUndone }, no) => {
        const it = begin(String(no));
        await sleep(start);
        const before = rows.get(row);
        const { promise: free, resolve: letGo } = Promise.withResolvers<void>();
        rows.set(row, free);
        await before;
        sent.set(String(no), clock.monotonic());
        let isOver = false;
        await it.commit(async () => {
          await sleep(7);
          if (isAway()) throw new Error("away");
          if (isOver && !isUndone) it.answer();
          return !isOver || isUndone;
        });
        await sleep(execution);
        isOver = true;
        if (!isUndone) carriedOut.set(String(no), clock.monotonic());
        letGo();
        await sleep(answer);
        if (isUndone) it.fail(new Error("undone"));
        else it.answer();
        await it.done;
      });
      for (let time = 0; time < 2 * never; time += time < 30_000 ? 50 : 5_000) await pass(time < 30_000 ? 50 : 5_000);
      await Promise.all(all);
      const order = told.filter((word) => !/unknown|failed/.test(word)).map((word) => word.split(" ")[0] ?? "");
      expect(order.toSorted()).toEqual([...carriedOut.keys()].toSorted());
      for (const [place, later] of order.entries())
        for (const earlier of order.slice(place + 1))
          if ((carriedOut.get(earlier) ?? 0) < (sent.get(later) ?? 0))
            throw new Error(`${later} was told before ${earlier}: ${order}`);
    }),
    { numRuns: runs(25) },
  );
});
