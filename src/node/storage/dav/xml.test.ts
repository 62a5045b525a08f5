import { expect, test } from "bun:test";
import { runs } from "../../../../tests/kit/runs.ts";
import { seeded } from "../../../../tests/kit/seeded.ts";
import { readXml as readAny, type XmlElement, XmlRefused } from "../../../lib/xml.ts";
import { DAV_XML } from "./read-body.ts";
import { writeElement } from "./xml-write.ts";

const random = seeded(7);
const readXml = (text: string): XmlElement => readAny(text, DAV_XML);
const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;

const NAMESPACES = ["", "DAV:", "urn:a&b", 'u"<>\n', "http://x/y"];
const TEXTS = ["a", " ", "<&>\"'", "é𝄞", "]]>", "\n\t", "&amp;"];

function anyElement(depth: number): XmlElement {
  const inside = depth === 0 ? 0 : Math.floor(random() * 4);
  const children: (XmlElement | string)[] = [];
  for (let at = 0; at < inside; at += 1) {
    const child = random() < 0.5 ? pick(TEXTS) : anyElement(depth - 1);
    const last = children.at(-1);
    // Two texts beside each other are one to whoever reads them.
    if (typeof child === "string" && typeof last === "string") children[children.length - 1] = last + child;
    else children.push(child);
  }
  const attributes = NAMESPACES.filter(() => random() < 0.2).map((namespace) => ({
    namespace,
    name: pick(["a", "lang", "é"]),
    value: pick(TEXTS),
  }));
  return { namespace: pick(NAMESPACES), name: pick(["p", "D.x", "ü-1"]), attributes, children };
}

test("every element is the same after it was written and read, in any document", () => {
  for (let at = 0; at < runs(300); at += 1) {
    const element = anyElement(4);
    const text = writeElement(element);
    expect(readXml(`<D:around xmlns:D="DAV:">${text}</D:around>`).children).toEqual([element]);
    expect(readXml(text)).toEqual(element);
  }
});

test("damaged documents are read or refused, and nothing else", () => {
  const whole = `<?xml version="1.0"?><!-- x --><D:a xmlns:D="DAV:" b='c'><![CDATA[<]]><D:d/>&#x41;</D:a>`;
  const scraps = [
    "<",
    ">",
    "&",
    '"',
    "'",
    "/",
    "<!DOCTYPE a>",
    "<![CDATA[",
    "]]>",
    "<!--",
    "&x;",
    "xmlns:D=''",
    "\0",
    "",
  ];
  for (let at = 0; at < runs(2_000); at += 1) {
    let text = whole;
    for (let damage = 0; damage < 1 + random() * 3; damage += 1) {
      const place = Math.floor(random() * text.length);
      text = text.slice(0, place) + pick(scraps) + text.slice(place + Math.floor(random() * 3));
    }
    try {
      readXml(text);
    } catch (error) {
      expect([text, error instanceof XmlRefused]).toEqual([text, true]);
    }
  }
});

test.each([
  ["types", "<!DOCTYPE a><a/>"],
  ["entities of its own", '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'],
  ["an entity that nobody declared", "<a>&nbsp;</a>"],
  ["a prefix that is not declared", "<D:a/>"],
  ["a prefix that stands for nothing", '<D:a xmlns:D=""/>'],
  ["two elements", "<a/><b/>"],
  ["text around", "<a/>x"],
  ["an element left open", "<a><b></a>"],
  ["an attribute twice", '<a b="1" b="2"/>'],
  ["half a character", "<a>&#xd800;</a>"],
  ["nothing", ""],
  ["great depth", "<a>".repeat(100) + "</a>".repeat(100)],
  ["very many elements", `<a>${"<b/>".repeat(10_001)}</a>`],
])("a document with %s is refused", (_, text) => {
  expect(() => readXml(text)).toThrow(XmlRefused);
});

test("the largest documents there are cost no time", () => {
  const size = 256 * 1024;
  for (const text of [
    "<a ",
    "<a b='",
    "<!--",
    "&".repeat(size),
    `<a>${"&#x".repeat(size / 3)}</a>`,
    "<a ".repeat(size / 3),
  ]) {
    const start = performance.now();
    expect(() => readXml(text.padEnd(size, " x"))).toThrow(XmlRefused);
    expect(performance.now() - start).toBeLessThan(2_000);
  }
});
