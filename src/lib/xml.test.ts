import { expect, spyOn, test } from "bun:test";
import fc from "fast-check";
import { runs } from "../../tests/kit/runs.ts";
import { allOf, attributeOf, readXml, textOf, XmlRefused, XmlTooLarge } from "./xml.ts";

test("names are resolved by what is declared where they stand", () => {
  const root = readXml(
    '<?xml version="1.0" encoding="utf-8"?>\n<a:r xmlns:a="urn:1" xmlns="urn:2" a:k="1" k="2"><c xmlns="urn:3"/><c/></a:r>\n',
  );
  expect([...allOf(root)].map(({ namespace, name }) => `${namespace} ${name}`)).toEqual([
    "urn:1 r",
    "urn:3 c",
    "urn:2 c",
  ]);
  expect([attributeOf(root, "k"), root.attributes[0]?.namespace]).toEqual(["2", "urn:1"]);
});

test("text is what every reader takes it for", () => {
  const root = readXml('<a b="x&#10;y\n&quot;z">1 &lt; 2\r\n&amp;&#x20AC;<b>3</b></a>');
  expect([textOf(root), attributeOf(root, "b")]).toEqual(["1 < 2\n&€3", 'x\ny "z']);
});

const REFUSED: [string, RegExp][] = [
  ["", /no XML/],
  ["<a>", /ends before/],
  ["<a></b>", /order/],
  ["<a/><b/>", /goes on/],
  ["<a b=1/>", /quotes/],
  ['<a b="1" b="2"/>', /twice/],
  ['<a xmlns:x="u" xmlns:y="u" x:b="1" y:b="2"/>', /twice/],
  ["<x:a/>", /prefix x/],
  ['<a xmlns:xml="u"/>', /keeps for itself/],
  ['<a b="<"/>', /well formed/],
  ["<a>]]></a>", /well formed/],
  ["<a>&x;</a>", /entity/],
  ["<a>&lt</a>", /entity/],
  ["<a>&#xD800;</a>", /character/],
  ["<a>&#xFFFF;</a>", /character/],
  ["<a>\u0001</a>", /character/],
  ["<a><!-- x --></a>", /comment/],
  ["<!-- x --><a/>", /comment/],
  ["<a><![CDATA[x]]></a>", /CDATA/],
  ["<a><?x?></a>", /instruction/],
  ["<!DOCTYPE a><a/>", /DOCTYPE/],
  ["<a><!DOCTYPE a></a>", /DOCTYPE/],
  ['<?xml version="1.0" encoding="utf-16"?><a/>', /UTF-8/],
  ["<ä/>", /plain name/],
  [`${"<a>".repeat(41)}${"</a>".repeat(41)}`, /deeper/],
  [`<a>${"<b/>".repeat(5001)}</a>`, /more than 5000/],
  [`<${"a".repeat(1001)}/>`, /more than 1000/],
  [`<a ${"b".repeat(1001)}="1"/>`, /more than 1000/],
  [`<a xmlns="${"u".repeat(1001)}"/>`, /more than 1000/],
  [`<a ${Array.from({ length: 51 }, (_, index) => `b${index}=""`).join(" ")}/>`, /more than 50/],
];

for (const [text, words] of REFUSED)
  test(`refused: ${text.slice(0, 40).replace(/\s+/g, " ")}`, () => expect(() => readXml(text)).toThrow(words));

test("comments are passed over where nobody signs", () => {
  expect(textOf(readXml("<!-- a --><a>1<!-- -- -->2</a><!-- b -->", { hasComments: true }))).toBe("12");
});

test("documents of programs that sign nothing may have instructions, CDATA and names of any language", () => {
  const text = "\ufeff<?xml version='1.0'?><?x?><ä b='1'><?y?>1<![CDATA[<2>]]></ä>";
  const root = readXml(text, { isLoose: true });
  expect([root.name, textOf(root)]).toEqual(["ä", "1<2>"]);
  expect(() => readXml("<a><![CDATA[<", { isLoose: true })).toThrow(/complete/);
  expect(() => readXml("<!DOCTYPE a><a/>", { isLoose: true })).toThrow(/DOCTYPE/);
});

test("attributes and names are as many and as long as is told", () => {
  const read = (text: string) => () => readXml(text, { mostAttributes: { each: 2, all: 3 }, longestName: 9 });
  expect(read('<a b="" c=""><d e=""/></a>')).not.toThrow();
  expect(read('<a b="" c="" d=""/>')).toThrow(/more than 2 attributes/);
  expect(read('<a b="" c=""><d xmlns:e="" f=""/></a>')).toThrow(/more than 3 attributes/);
  expect(read('<a b="" c=""><d e=""/><f g=""/></a>')).toThrow(XmlTooLarge);
  expect(read("<abcdefghij/>")).toThrow(/name of more than 9 letters/);
  expect(read('<a xmlns="urn:abcdef"/>')).toThrow(/namespace of more than 9 letters/);
});

test("names declared all the way down cost no more than what the document says of them", () => {
  const levels = Array.from({ length: 38 }, (_, level) =>
    Array.from({ length: 49 }, (_, at) => `xmlns:p${level}_${at}="u"`).join(" "),
  );
  const inside = '<p0_0:b xmlns:q="v"/>'.repeat(4_900);
  const text = `${levels.map((all) => `<a ${all}>`).join("")}${inside}${"</a>".repeat(38)}`;
  const kept = spyOn(Map.prototype, "set");
  const root = readXml(text);
  const count = kept.mock.calls.length;
  kept.mockRestore();
  expect([...allOf(root)].filter(({ namespace, name }) => namespace === "u" && name === "b").length).toBe(4_900);
  expect(count).toBeLessThan(10_000);
});

test("whatever comes is read or refused, at once", () => {
  const piece = fc.constantFrom(
    ...[
      "<a>",
      "</a>",
      "<a",
      ' b="',
      '"',
      ">",
      "/>",
      "&#",
      ";",
      "<!--",
      "-->",
      "<!",
      "x",
      "\r",
      "&amp;",
      "xmlns:q=",
      "q:",
    ],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      try {
        readXml(pieces.join(""), { hasComments: true });
      } catch (error) {
        if (!(error instanceof XmlRefused)) throw error;
      }
    }),
    { numRuns: runs(300) },
  );
});
