import { expect, test } from "bun:test";
import fc from "fast-check";
import { placeNodes, stageTargets } from "./selection.ts";

test("stages reach at least one node, never fewer than before, and all of them at the end", () => {
  expect(stageTargets([1, 10, 50, 100], 397)).toEqual([4, 40, 199, 397]);
  expect(stageTargets([1, 10, 50, 100], 4)).toEqual([1, 1, 2, 4]);
  expect(stageTargets([1, 100], 1)).toEqual([1, 1]);
});

test("the order stands whatever nodes come and go, and another seed gives another one", () => {
  const names = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(names, fc.nat(), (ids, at) => {
      const order = placeNodes(ids, [100], "").map(({ id }) => id);
      const gone = ids[at % ids.length];
      const left = placeNodes(ids.filter((id) => id !== gone).reverse(), [100], "").map(({ id }) => id);
      expect(left).toEqual(order.filter((id) => id !== gone));
    }),
  );
  const ids = Array.from({ length: 50 }, (_, no) => `n${no}`);
  expect(placeNodes(ids, [100], "spring")).not.toEqual(placeNodes(ids, [100], ""));
  expect(placeNodes(ids, [10, 100], "").map(({ stage }) => stage)).toEqual(ids.map((_, rank) => (rank < 5 ? 0 : 1)));
});
