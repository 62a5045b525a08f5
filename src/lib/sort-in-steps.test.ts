import { expect, test } from "bun:test";
import fc from "fast-check";
import { atOnce, inSteps, sortInSteps } from "./sort-in-steps.ts";

const many = Array.from({ length: 20_000 }, (_, index) => `text-${(index * 7_919) % 15_000}`);

test("sorts as the plain sort does", () => {
  expect(atOnce(sortInSteps(many))).toEqual(many.toSorted());
  fc.assert(
    fc.property(fc.array(fc.string()), (texts) => expect(atOnce(sortInSteps(texts))).toEqual(texts.toSorted())),
  );
});

test("lets others go first again and again", async () => {
  let pauses = 0;
  expect(await inSteps(sortInSteps(many), async () => pauses++)).toEqual(many.toSorted());
  expect(pauses).toBeGreaterThan(1);
});
