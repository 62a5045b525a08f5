import { expect, test } from "bun:test";
import { isRecord, parseJson } from "./json.ts";

test("parseJson answers null for what is not JSON", () => {
  expect(parseJson('{"a":[1]}')).toEqual({ a: [1] });
  for (const text of ["", "{", "undefined", "{a:1}", "NaN"]) expect(parseJson(text)).toBeNull();
});

test("isRecord is true for plain objects only", () => {
  expect([{}, [], null, "x", 1, undefined].map(isRecord)).toEqual([true, false, false, false, false, false]);
});
