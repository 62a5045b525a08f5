import { expect, test } from "bun:test";
import { parseXml, textOf } from "./xml.ts";

test("reads what clients send, text and names as they are meant", () => {
  const root = parseXml(
    '\ufeff<?xml version="1.0"?>\n<Delete xmlns="x"><!-- all --><s3:Object><Key>a &lt;b&gt; &#x41;</Key></s3:Object><Quiet/></Delete>',
  );
  expect([root.name, root.children.map(({ name }) => name)]).toEqual(["Delete", ["Object", "Quiet"]]);
  const [object] = root.children;
  expect(object && textOf(object, "Key")).toBe("a <b> A");
});

// Two megabytes are what a body may have. Where the work grew with their square, these took hours.
test.each([
  ["brackets that never close", "<".repeat(2_000_000)],
  ["comments that never close", "<!--".repeat(500_000)],
  ["a tag full of brackets", `<a ${"<".repeat(2_000_000)}`],
  ["text after the end", `<a></a>${"x<".repeat(1_000_000)}`],
  ["references that never end", `<a>${"&#x".repeat(600_000)}`],
  ["a declaration of types", '<!DOCTYPE a [<!ENTITY b "bb">]><a>&b;</a>'],
])("refuses %s at once", (_, source) => {
  expect(() => parseXml(source)).toThrow();
});
