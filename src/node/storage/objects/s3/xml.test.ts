import { heapStats } from "bun:jsc";
import { expect, test } from "bun:test";
import { childrenOf, parseXml, textOf } from "./xml.ts";

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

test("references mean what they stand for, once, and what is none stays as it is", () => {
  const textIn = (text: string) => parseXml(`<a>${text}</a>`).text;
  expect(textIn("&lt;&gt;&amp;&quot;&apos;&#65;&#x1F600;&#x41;")).toBe("<>&\"'A\u{1f600}A");
  expect(textIn("&amp;lt;&#38;amp;")).toBe("&lt;&amp;");
  for (const plain of [
    "&",
    "&;",
    "a & b; c",
    "&nothing;",
    "&#x110000;",
    "&#;",
    "&#xg;",
    "&toString;",
    "&amp",
    "&#12345678;",
  ])
    expect(textIn(plain)).toBe(plain);
});

test("comments and instructions count as elements do, and letters as numbers have a limit of their own", () => {
  expect(parseXml(`<a>${"<!---->".repeat(40_000)}</a>`).name).toBe("a");
  for (const many of ["<!---->", "<?x?>", "<b/>"]) expect(() => parseXml(`<a>${many.repeat(50_000)}</a>`)).toThrow();
  expect(parseXml(`<a>${"&#65;".repeat(100_000)}</a>`).text).toHaveLength(100_000);
  expect(() => parseXml(`<a>${"&#65;".repeat(60_000)}<b>${"&#65;".repeat(60_000)}</b></a>`)).toThrow();
});

test("what is kept of a document does not keep the rest of it", () => {
  const held = () => {
    Bun.gc(true);
    const { heapSize, extraMemorySize } = heapStats();
    return heapSize + extraMemorySize;
  };
  const document = (at: number) =>
    `<a><Key>the name of object ${at} &lt;</Key><Key>and another</Key><b>${"y".repeat(2_000_000)}</b></a>`;
  const before = held();
  const kept = Array.from({ length: 30 }, (_, at) => childrenOf(parseXml(document(at)), "Key").map(({ text }) => text));
  expect(held() - before).toBeLessThan(10_000_000);
  expect(kept.at(-1)).toEqual(["the name of object 29 <", "and another"]);
});
