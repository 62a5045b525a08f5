/** An element as it was read: its names are spelled out, so that prefixes do not matter. */
export interface XmlElement {
  /** Empty for none. */
  namespace: string;
  name: string;
  attributes: { namespace: string; name: string; value: string }[];
  children: (XmlElement | string)[];
}

/** What is not XML, or more than is read here. */
export class BadXml extends Error {}

export const XML_NAMESPACE = "http://www.w3.org/XML/1998/namespace";

const MAX_ELEMENTS = 10_000;
const MAX_DEPTH = 64;
const MAX_ATTRIBUTES = 64;
const NAME = /^[\p{L}_][\p{L}\p{N}\p{M}_.\-\u00b7]*(?::[\p{L}_][\p{L}\p{N}\p{M}_.\-\u00b7]*)?$/u;
const ATTRIBUTE = /\s+([^\s=<>/"']+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
// Letters that XML cannot have at all.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

type Prefixes = Readonly<Record<string, string>>;

/** Text with what stands for letters in their place. There are no entities but the five of XML itself. */
function readText(raw: string): string {
  return raw.replace(/&([^;&]{0,32})(;?)/g, (_, word: string, end: string) => {
    const [, hex, decimal] = /^#(?:x([0-9a-fA-F]{1,6})|(\d{1,7}))$/.exec(word) ?? [];
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    const isCode = (hex ?? decimal) !== undefined && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    const letter = isCode ? String.fromCodePoint(code) : ENTITIES[word];
    if (end === "" || letter === undefined || FORBIDDEN.test(letter)) throw new BadXml("there is an unknown entity");
    return letter;
  });
}

/** Pieces of a document in one walk: markup without its brackets, text, and what is text whatever it holds. */
function* cut(source: string): Generator<{ kind: "tag" | "text" | "plain"; raw: string }> {
  const until = (mark: string, from: number): number => {
    const end = source.indexOf(mark, from);
    if (end === -1) throw new BadXml("it ends in the middle");
    return end;
  };
  for (let at = 0; at < source.length; ) {
    if (source[at] !== "<") {
      const next = source.indexOf("<", at);
      const end = next === -1 ? source.length : next;
      yield { kind: "text", raw: source.slice(at, end) };
      at = end;
    } else if (source.startsWith("<!--", at)) {
      at = until("-->", at + 4) + 3;
    } else if (source.startsWith("<![CDATA[", at)) {
      const end = until("]]>", at + 9);
      yield { kind: "plain", raw: source.slice(at + 9, end) };
      at = end + 3;
    } else if (source.startsWith("<?", at)) {
      at = until("?>", at + 2) + 2;
    } else if (source.startsWith("<!", at)) {
      throw new BadXml("it declares types or entities");
    } else {
      const end = endOfTag(source, at + 1);
      yield { kind: "tag", raw: source.slice(at + 1, end) };
      at = end + 1;
    }
  }
}

/** Where a tag ends: brackets in the quotes of its attributes do not end it. */
function endOfTag(source: string, from: number): number {
  let quote = "";
  for (let at = from; at < source.length; at += 1) {
    const letter = source[at] ?? "";
    if (quote !== "") quote = letter === quote ? "" : quote;
    else if (letter === '"' || letter === "'") quote = letter;
    else if (letter === ">") return at;
    else if (letter === "<") break;
  }
  throw new BadXml("a tag does not end");
}

function readAttributes(text: string): [name: string, value: string][] {
  const found: [string, string][] = [];
  ATTRIBUTE.lastIndex = 0;
  for (let at = 0; ; at = ATTRIBUTE.lastIndex) {
    const [, name, double, single] = ATTRIBUTE.exec(text) ?? [];
    if (name === undefined) {
      if (text.slice(at).trim() !== "" || found.length > MAX_ATTRIBUTES) throw new BadXml("an attribute is not one");
      return found;
    }
    if (!NAME.test(name) || found.some(([other]) => other === name)) throw new BadXml("an attribute is there twice");
    found.push([name, readText(double ?? single ?? "")]);
  }
}

/** A name with its prefix resolved; attributes without one have no namespace. */
function resolve(name: string, prefixes: Prefixes, isAttribute: boolean): { namespace: string; name: string } {
  const colon = name.indexOf(":");
  if (colon === -1) return { namespace: isAttribute ? "" : (prefixes[":"] ?? ""), name };
  const prefix = name.slice(0, colon);
  const namespace = Object.hasOwn(prefixes, prefix) ? prefixes[prefix] : undefined;
  if (namespace === undefined) throw new BadXml(`the prefix ${prefix} is not declared`);
  return { namespace, name: name.slice(colon + 1) };
}

/** An opening tag: its element, and the prefixes that hold within it. */
function openElement(raw: string, outer: Prefixes): { element: XmlElement; prefixes: Prefixes } {
  const name = /^[^\s/]+/.exec(raw)?.[0] ?? "";
  if (!NAME.test(name)) throw new BadXml("an element has no name");
  const attributes = readAttributes(raw.slice(name.length));
  const declared = attributes.filter(([key]) => key === "xmlns" || key.startsWith("xmlns:"));
  const prefixes: Record<string, string> = declared.length === 0 ? outer : { ...outer };
  for (const [key, value] of declared) {
    // A prefix cannot be taken back, and what is meant by these two is given.
    if (key !== "xmlns" && (value === "" || /^xmlns:xml(ns)?$/.test(key)))
      throw new BadXml("a prefix stands for nothing");
    prefixes[key === "xmlns" ? ":" : key.slice(6)] = value;
  }
  return {
    prefixes,
    element: {
      ...resolve(name, prefixes, false),
      attributes: attributes
        .filter(([key]) => key !== "xmlns" && !key.startsWith("xmlns:"))
        .map(([key, value]) => ({ ...resolve(key, prefixes, true), value })),
      children: [],
    },
  };
}

/** Reads a document. One that declares types or entities is refused, like one that is deep or has very many elements. Throws BadXml. */
export function readXml(source: string): XmlElement {
  const root: XmlElement = { namespace: "", name: "", attributes: [], children: [] };
  const prefixes: Prefixes = { xml: XML_NAMESPACE };
  const open: { element: XmlElement; prefixes: Prefixes; tag: string }[] = [];
  let count = 0;
  if (FORBIDDEN.test(source)) throw new BadXml("it holds letters that XML has not");
  for (const { kind, raw } of cut(source.replace(/^\ufeff/, ""))) {
    const current = open.at(-1);
    if (kind !== "tag") {
      if (current === undefined && (kind === "plain" || raw.trim() !== "")) throw new BadXml("there is text around it");
      current?.element.children.push(kind === "text" ? readText(raw.replace(/\r\n?/g, "\n")) : raw);
      continue;
    }
    if (raw.startsWith("/")) {
      if (open.pop()?.tag !== raw.slice(1).trimEnd()) throw new BadXml("an element is closed that is not open");
      continue;
    }
    const isEmpty = raw.endsWith("/");
    const inside = isEmpty ? raw.slice(0, -1) : raw;
    const opened = openElement(inside, current?.prefixes ?? prefixes);
    (current?.element ?? root).children.push(opened.element);
    count += 1;
    if (!isEmpty) open.push({ ...opened, tag: /^[^\s/]+/.exec(inside)?.[0] ?? "" });
    if (count > MAX_ELEMENTS || open.length > MAX_DEPTH) throw new BadXml("it is too large");
  }
  const [only, ...more] = root.children;
  if (only === undefined || typeof only === "string" || more.length > 0 || open.length > 0)
    throw new BadXml("it is not one element");
  return only;
}

/** The elements in an element. */
export const elementsIn = ({ children }: XmlElement): XmlElement[] =>
  children.filter((child): child is XmlElement => typeof child !== "string");

/** Whether an element has that name in the namespace of WebDAV. */
export const isDav = (element: XmlElement, name: string): boolean =>
  element.namespace === "DAV:" && element.name === name;
