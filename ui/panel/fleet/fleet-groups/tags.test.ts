import { expect, test } from "bun:test";
import { addTags, readTags } from "./tags.ts";

test("spaces and commas part tags, each counts once", () => {
  expect(readTags("  prod, edge\nprod eu ")).toEqual(["prod", "edge", "eu"]);
  expect(readTags(" , ")).toEqual([]);
  expect(addTags(["a", "b"], ["b", "c"])).toEqual(["a", "b", "c"]);
});
