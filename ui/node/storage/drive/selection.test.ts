import { expect, test } from "bun:test";
import { NOTHING, type Selection, toggle } from "./selection.ts";

const order = ["a", "b", "c", "d"];
const chosen = ({ ids }: Selection) => [...ids].toSorted();

test("a range reaches from the last one that was pressed to this one, either way, and is taken out the same way", () => {
  const one = toggle(order, NOTHING, "c", true);
  expect(chosen(one)).toEqual(["c"]);
  const up = toggle(order, one, "a", true);
  expect(chosen(up)).toEqual(["a", "b", "c"]);
  expect(chosen(toggle(order, up, "d", false))).toEqual(["a", "b", "c", "d"]);
  expect(chosen(toggle(order, up, "c", true))).toEqual([]);
});

test("a range from what is gone is that one alone", () => {
  expect(chosen(toggle(order, { ids: new Set(), from: "gone" }, "c", true))).toEqual(["c"]);
});
