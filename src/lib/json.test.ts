import { expect, test } from "bun:test";
import fc from "fast-check";
import { isRecord, type JsonShape, parseJson, shapeOf } from "./json.ts";

test("parseJson answers null for what is not JSON", () => {
  expect(parseJson('{"a":[1]}')).toEqual({ a: [1] });
  for (const text of ["", "{", "undefined", "{a:1}", "NaN"]) expect(parseJson(text)).toBeNull();
});

test("isRecord is true for plain objects only", () => {
  expect([{}, [], null, "x", 1, undefined].map(isRecord)).toEqual([true, false, false, false, false, false]);
});

/** The shape of a text, character by character. */
function shapeByCharacter(text: string): JsonShape {
  let [depth, nesting, values, inString] = [0, 0, 1, false];
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === '"') inString = !inString;
    if (inString && character === "\\") index += 1;
    if (inString) continue;
    if ("{[".includes(character)) nesting = Math.max(nesting, ++depth);
    if ("{[,".includes(character)) values += 1;
    if ("]}".includes(character)) depth -= 1;
  }
  return { nesting, values };
}

test("shapeOf counts what is outside strings, whatever they escape, and wherever a text is cut off", () => {
  expect(shapeOf('{"a,[":["\\"{",{}],"b":"\\\\"}')).toEqual({ nesting: 3, values: 6 });
  const piece = fc.constantFrom('"', "\\", "{", "}", "[", "]", ",", ":", "a", "ü", '"a"', '"\\""', '"\\\\"', "[{}]");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      expect(shapeOf(pieces.join(""))).toEqual(shapeByCharacter(pieces.join("")));
    }),
    { numRuns: 500 },
  );
  fc.assert(fc.property(fc.json(), (text) => expect(shapeOf(text)).toEqual(shapeByCharacter(text))));
});
