import { expect, test } from "bun:test";
import { setImmediate } from "node:timers/promises";
import { createTurnstile } from "./turnstile.ts";

const nobody = () => [];

/** Who has passed a turnstile so far, by the number they came with. */
function crowd(perTurn: number) {
  const pass = createTurnstile(perTurn);
  const passed: number[] = [];
  const come = async (id: number, ...path: string[]): Promise<void> => {
    await pass(() => path);
    passed.push(id);
  };
  return { passed, come, pass };
}

test("so many pass at once, the rest in order, as many in each turn", async () => {
  const { passed, come } = crowd(2);
  const all = Promise.all([1, 2, 3, 4, 5].map((id) => come(id)));
  await Promise.resolve();
  expect(passed).toEqual([1, 2]);
  await setImmediate();
  expect(passed).toEqual([1, 2, 3, 4]);
  await all;
  expect(passed).toEqual([1, 2, 3, 4, 5]);
});

test("who comes while others wait waits behind them", async () => {
  const { passed, come } = crowd(1);
  const first = [1, 2, 3].map((id) => come(id));
  await setImmediate();
  const last = come(4);
  await Promise.all([...first, last]);
  expect(passed).toEqual([1, 2, 3, 4]);
});

test("nobody waits when no crowd comes, also after one", async () => {
  const { come, pass } = crowd(2);
  await Promise.all([1, 2, 3, 4, 5, 6].map((id) => come(id)));
  for (let turn = 0; turn < 3; turn++) {
    await setImmediate();
    await setImmediate();
    expect([pass(nobody), pass(nobody)]).toEqual([undefined, undefined]);
    expect(pass(nobody)).toBeInstanceOf(Promise);
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

test("each key has its turn, however many another one brings before", async () => {
  const { passed, come } = crowd(1);
  const crowded = Array.from({ length: 20 }, (_, id) => come(id, "crowd"));
  const others = [come(100, "one"), come(101, "one"), come(200, "two")];
  await Promise.all(others);
  expect(passed.indexOf(100)).toBeLessThan(4);
  expect(passed.indexOf(200)).toBeLessThan(5);
  expect(passed.indexOf(101)).toBeLessThan(8);
  await Promise.all(crowded);
  expect(passed.filter((id) => id < 100)).toEqual(Array.from({ length: 20 }, (_, id) => id));
});

test("a provider with any number of networks has as many turns as one with a single one", async () => {
  const { passed, come } = crowd(1);
  const crowded = Array.from({ length: 20 }, (_, id) => come(id, "provider", `site ${id % 2}`, `network ${id}`));
  const alone = come(99, "other", "site", "network");
  await Promise.all([...crowded, alone]);
  expect(passed.indexOf(99)).toBeLessThan(4);
  expect(passed).toHaveLength(21);
});
