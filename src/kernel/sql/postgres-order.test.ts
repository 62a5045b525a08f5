import { expect, test } from "bun:test";
import { setImmediate } from "node:timers/promises";
import { createFakeClock } from "../../../tests/kit/fake-clock.ts";
import { createOrder } from "./postgres-order.ts";

/** Transactions that commit, and are answered, when they are told to. */
function world() {
  const clock = createFakeClock();
  const inOrder = createOrder(clock);
  const told: string[] = [];
  const begin = (name: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begins } = Promise.withResolvers<() => void>();
    const done = inOrder((committing) => {
      begins(committing);
      return promise;
    }).then(
      () => void told.push(name),
      () => void told.push(`${name} failed`),
    );
    return { commit: async () => (await begun)(), answer: resolve, fail: reject, done };
  };
  return { clock, told, begin };
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

test("an answer that never comes holds nobody for more than a second", async () => {
  const { clock, told, begin } = world();
  const [lost, next] = [begin("lost"), begin("next")];
  for (const one of [lost, next]) await one.commit();
  next.answer();
  await setImmediate();
  await clock.advance(999);
  expect(told).toEqual([]);
  await clock.advance(1);
  await next.done;
  expect(told).toEqual(["next"]);
  const after = begin("after");
  await after.commit();
  after.answer();
  await after.done;
  expect(told).toEqual(["next", "after"]);
});
