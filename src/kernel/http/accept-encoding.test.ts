import { expect, test } from "bun:test";
import { accepts } from "./accept-encoding.ts";

test.each([
  ["gzip, br", true],
  ["br;q=0, *", false],
  [" BR ; q=0.5", true],
  ["*;q=0", false],
  ["*", true],
  ["gzip", false],
  ["", false],
])("%s", (header, isTaken) => {
  expect(accepts(header, "br")).toBe(isTaken);
});

test("a header of blanks is read once, not once for each of them", () => {
  const header = `a${" ".repeat(15_500)}b`;
  for (let time = 0; time < 60; time++) expect(accepts(header, "br")).toBe(false);
}, 5_000);
