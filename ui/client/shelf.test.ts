import { expect, test } from "bun:test";
import { createResources } from "./resource.ts";
import { createShelf } from "./shelf.ts";

test("a shelf forgets what nobody holds and nobody asked for the longest, and nothing else", () => {
  const shelf = createShelf<{ key: string }>(2);
  const take = (key: string, lasts = false) => shelf.take(key, () => ({ key }), { lasts });
  const lasting = take("lasting", true);
  const held = take("held");
  const let1 = shelf.hold(held);
  const let2 = shelf.hold(held);
  const one = take("one");
  const two = take("two");
  expect(take("one")).toBe(one);
  take("three");
  expect([take("lasting"), take("held"), take("one")]).toEqual([lasting, held, one]);
  expect(take("held")).toBe(held);
  expect(take("two")).not.toBe(two);
  let1();
  take("four");
  take("five");
  expect(take("held")).toBe(held);
  let2();
  take("six");
  take("seven");
  take("eight");
  expect(take("held")).not.toBe(held);
  expect(take("lasting")).toBe(lasting);
  shelf.clear();
  expect(take("lasting", true)).not.toBe(lasting);
});

test("answers are shared by route and parameters, and those of passing parameters do not pile up", () => {
  const { resource } = createResources<{ "GET /apps": { out: string }; "GET /apps/{id}": { out: string } }>(() =>
    Promise.reject(new Error("not asked here")),
  );
  const of = (id: number) => resource("GET /apps/{id}", { path: { id: String(id) } });
  const list = resource("GET /apps");
  const first = of(0);
  expect([of(0), resource("GET /apps")]).toEqual([first, list]);
  for (let id = 1; id < 200; id++) of(id);
  expect(of(0)).not.toBe(first);
  expect(of(199)).toBe(of(199));
  expect(resource("GET /apps")).toBe(list);
});
