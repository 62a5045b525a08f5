import { expect, test } from "bun:test";
import { elementsOf, sizeIn, textIn } from "./reply-bytes.ts";

test("elements of a listing are found by their name, with and without prefix", () => {
  const text =
    '<D:multistatus xmlns:D="DAV:"><D:response><D:href xml:x="y"> /dav/a&amp;b </D:href><D:getcontentlength>7</D:getcontentlength></D:response><response ><href>/c</href></response></D:multistatus>';
  const found = [...elementsOf(text, "response")];
  expect(found.map((one) => [textIn(one, "href"), sizeIn(one, "getcontentlength")])).toEqual([
    ["/dav/a&b", 7],
    ["/c", 0],
  ]);
});

// As large as a reply may be. Where the work grew with the square of it, these took days.
test.each([
  ["that never end", "<Contents>"],
  ["of names that never end", "<a"],
  ["that end and never begin", "</Contents>"],
  ["of brackets", "<"],
  ["of attributes", "<Contents "],
  ["that are empty", "<Contents></Contents>"],
])("a listing of elements %s is read in one walk", (_, piece) => {
  const text = piece.repeat(Math.floor(16_000_000 / piece.length));
  for (const element of elementsOf(text, "Contents")) expect(element).toBe("");
});
