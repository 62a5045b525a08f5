import { expect, test } from "bun:test";
import { setImmediate } from "node:timers/promises";
import { createTurnstile } from "./turnstile.ts";

/** Who has passed a turnstile so far, by the number they came with. */
function crowd(perTurn: number) {
  const pass = createTurnstile(perTurn);
  const passed: number[] = [];
  const come = async (id: number): Promise<void> => {
    await pass();
    passed.push(id);
  };
  return { passed, come, pass };
}

test("so many pass at once, the rest in order, as many in each turn", async () => {
  const { passed, come } = crowd(2);
  const all = Promise.all([1, 2, 3, 4, 5].map(come));
  await Promise.resolve();
  expect(passed).toEqual([1, 2]);
  await setImmediate();
  expect(passed).toEqual([1, 2, 3, 4]);
  await all;
  expect(passed).toEqual([1, 2, 3, 4, 5]);
});

test("who comes while others wait waits behind them", async () => {
  const { passed, come } = crowd(1);
  const first = [1, 2, 3].map(come);
  await setImmediate();
  const last = come(4);
  await Promise.all([...first, last]);
  expect(passed).toEqual([1, 2, 3, 4]);
});

test("nobody waits when no crowd comes, also after one", async () => {
  const { come, pass } = crowd(2);
  await Promise.all([1, 2, 3, 4, 5, 6].map(come));
  for (let turn = 0; turn < 3; turn++) {
    await setImmediate();
    await setImmediate();
    expect([pass(), pass()]).toEqual([undefined, undefined]);
    expect(pass()).toBeInstanceOf(Promise);
  }
});

test("what comes in between is answered before the crowd is through", async () => {
  const { passed, come } = crowd(1);
  const all = Promise.all(Array.from({ length: 50 }, (_, id) => come(id)));
  await setImmediate();
  expect(passed.length).toBeLessThan(5);
  await all;
  expect(passed).toHaveLength(50);
});
